//! Weights fitted to self-play.

use boardkeeper::{
    rules::surakarta::Surakarta,
    search::{
        Weights,
        tuning::{Practice, fit, practise},
    },
};

#[test]
fn fitted_weights_explain_games_better_than_none() {
    let practice = Practice { games: 12, nodes: 300, opening: 6, seed: 5 };
    let lessons = practise::<Surakarta>(&Weights::TUNED, practice);
    let mut none = Weights::TUNED;
    Weights::visit(&mut none, &mut |_, weight| *weight = 0);
    let fitted = fit::<Surakarta>(&lessons, &none);
    assert!((fitted.losses.0 - std::f64::consts::LN_2).abs() < 1e-9, "{fitted:?}");
    assert!(fitted.losses.1 < 0.6, "{fitted:?}");
    let again = fit::<Surakarta>(&practise::<Surakarta>(&Weights::TUNED, practice), &none);
    assert_eq!(fitted.losses, again.losses);
}
