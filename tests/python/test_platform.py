"""What platforms and tools expect of any gRPC server: health and reflection."""

from collections.abc import Iterator

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub
from grpc_reflection.v1alpha.reflection_pb2 import (
    ServerReflectionRequest,
    ServerReflectionResponse,
)

from portal import PATIENCE, Portal

SERVICE = "boardkeeper.v1.GameService"
REFLECTION = "grpc.reflection.v1.ServerReflection"


@pytest.mark.parametrize("service", ["", SERVICE])
def test_health(channel: grpc.Channel, service: str) -> None:
    health, request = HealthStub(channel), HealthCheckRequest(service=service)
    answer = health.Check(request, timeout=PATIENCE)
    assert answer.status == HealthCheckResponse.SERVING
    watched = health.Watch(request, timeout=PATIENCE)
    assert next(watched).status == HealthCheckResponse.SERVING
    watched.cancel()


def test_health_of_what_is_not_there(channel: grpc.Channel) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        HealthStub(channel).Check(HealthCheckRequest(service="nobody"), timeout=PATIENCE)
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND


def test_reflection_lists_the_services(channel: grpc.Channel) -> None:
    answer = reflect(channel, ServerReflectionRequest(list_services="*"))
    names = {service.name for service in answer.list_services_response.service}
    assert {SERVICE, "grpc.health.v1.Health", REFLECTION} <= names


def test_call_by_reflection_alone(channel: grpc.Channel, portal: Portal) -> None:
    """A client that has no stubs learns the protocol from the server and calls it."""
    pool = described_by_server(channel)
    method = pool.FindServiceByName(SERVICE).FindMethodByName("ListGameTypes")
    request, response = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
    call = channel.unary_unary(
        f"/{SERVICE}/{method.name}", request.SerializeToString, response.FromString
    )
    names = [game_type.name for game_type in call(request(), timeout=PATIENCE).game_types]
    assert names == [game_type.name for game_type in portal.game_types()]


def reflect(channel: grpc.Channel, request: ServerReflectionRequest) -> ServerReflectionResponse:
    """Asks once. The package has the messages of v1alpha only; those of v1 are the same."""
    call = channel.stream_stream(
        f"/{REFLECTION}/ServerReflectionInfo",
        ServerReflectionRequest.SerializeToString,
        ServerReflectionResponse.FromString,
    )
    answers: Iterator[ServerReflectionResponse] = call(iter([request]), timeout=PATIENCE)
    (answer,) = answers
    assert not answer.HasField("error_response"), answer
    return answer


def described_by_server(channel: grpc.Channel) -> DescriptorPool:
    """All files that the service is described in."""
    pool, known = DescriptorPool(), set[str]()

    def add(request: ServerReflectionRequest) -> None:
        for data in reflect(channel, request).file_descriptor_response.file_descriptor_proto:
            file = FileDescriptorProto.FromString(data)
            if file.name in known:
                continue
            known.add(file.name)
            for name in file.dependency:
                if name not in known:
                    add(ServerReflectionRequest(file_by_filename=name))
            pool.Add(file)

    add(ServerReflectionRequest(file_containing_symbol=SERVICE))
    return pool
