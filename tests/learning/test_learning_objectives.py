"""The equations against plain loops, derivatives against finite differences, the appendix against autograd."""

import math

import numpy as np
import pytest
import torch

from satchel.encoders.bag import start as bag_math
from satchel.learning import objectives as o
from satchel.learning.objectives import fused_memberships

N_WORDS, DIM, N_CODEWORDS, N_DOCUMENTS, N_CLASSES = 7, 3, 4, 6, 3


@pytest.fixture
def problem() -> dict[str, torch.Tensor]:
    """A small random problem in float64."""
    generator = torch.Generator().manual_seed(0)

    def draw(*shape: int) -> torch.Tensor:
        return torch.rand(*shape, generator=generator, dtype=torch.float64)

    shares = draw(N_DOCUMENTS, N_WORDS)
    return {
        "x": draw(N_WORDS, DIM),
        "v": draw(N_CODEWORDS, DIM),
        "sigma": torch.tensor(0.7, dtype=torch.float64),
        "r": draw(N_CODEWORDS) + 0.5,
        "shares": shares / shares.sum(dim=1, keepdim=True),
        "c": draw(N_CLASSES, N_CODEWORDS),
        "pi": torch.eye(N_CLASSES, dtype=torch.float64)[torch.tensor([0, 0, 1, 1, 2, 2])],
    }


def entropy_of(p, distance, m=0.1):
    """The whole chain from word vectors to the entropy."""
    u = o.memberships(p["x"], p["v"], p["sigma"])
    s = o.represent(o.histograms(p["shares"], u), p["r"])
    return o.entropy(o.cluster_memberships(distance(s, p["c"]), m), p["pi"])


def slow_entropy(p, distance, m):
    """Eqs. (1) to (13) as they stand, word by word, in plain Python numbers."""
    x, v, r, shares, c, pi = (p[name].tolist() for name in ("x", "v", "r", "shares", "c", "pi"))
    sigma, s = float(p["sigma"]), []
    u = []
    for word in x:
        d = [math.exp(-math.dist(word, codeword) / sigma**2) for codeword in v]
        u.append([value / sum(d) for value in d])
    for document in shares:
        z = [sum(share * u[j][k] for j, share in enumerate(document)) for k in range(N_CODEWORDS)]
        s.append([weight * value for weight, value in zip(r, z, strict=True)])
    w = []
    for document in s:
        q = [math.exp(-distance(document, centre) / m) for centre in c]
        w.append([value / sum(q) for value in q])
    total = 0.0
    for k in range(N_CLASSES):
        n = sum(row[k] for row in w)
        for j in range(N_CLASSES):
            h = sum(w[i][k] * pi[i][j] for i in range(N_DOCUMENTS))
            total -= h * math.log(h / n)
    return total / N_DOCUMENTS


def slow_cosine_distance(a, b):
    return 1 - sum(p * q for p, q in zip(a, b, strict=True)) / (math.hypot(*a) * math.hypot(*b))


@pytest.mark.parametrize(
    ("distance", "slow"),
    [(o.euclidean_distances, math.dist), (o.cosine_distances, slow_cosine_distance)],
    ids=["euclidean", "spherical"],
)
@pytest.mark.parametrize("m", [0.5, 0.05])
def test_entropy_is_that_of_the_equations_word_by_word(problem, distance, slow, m):
    assert float(entropy_of(problem, distance, m)) == pytest.approx(slow_entropy(problem, slow, m), rel=1e-9)


@pytest.mark.parametrize("distance", [o.euclidean_distances, o.cosine_distances], ids=["euclidean", "spherical"])
def test_derivatives_of_all_four_parts_are_those_of_finite_differences(problem, distance):
    parts = ("x", "v", "sigma", "r")
    values = [problem[name].clone().requires_grad_() for name in parts]
    assert torch.autograd.gradcheck(
        lambda *v: entropy_of({**problem, **dict(zip(parts, v, strict=True))}, distance), values
    )


def test_shares_are_value_times_weight_over_their_sum_in_the_document():
    values = torch.tensor([[2.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.2, 0.1]])
    shares = o.word_shares(values, torch.tensor([1.0, 2.0, 4.0]))
    torch.testing.assert_close(shares, torch.tensor([[0.5, 0.5, 0.0], [0.0, 0.0, 0.0], [0.0, 0.5, 0.5]]))


def test_derivatives_of_the_weights_are_those_of_finite_differences(problem):
    def loss(weights):
        return entropy_of({**problem, "shares": o.word_shares(problem["shares"], weights)}, o.cosine_distances)

    assert torch.autograd.gradcheck(loss, torch.linspace(0.5, 2, N_WORDS, dtype=torch.float64).requires_grad_())


def test_standardised_histograms_have_mean_0_and_deviation_1_and_empty_ones_stay_zero(problem):
    z = o.histograms(problem["shares"], o.memberships(problem["x"], problem["v"], problem["sigma"]))
    standard = o.standardise(torch.cat([z, torch.zeros(1, N_CODEWORDS)]), z.mean(dim=0), z.std(dim=0, correction=0))
    np.testing.assert_allclose(standard[:-1].mean(dim=0), np.zeros(N_CODEWORDS), atol=1e-12)
    np.testing.assert_allclose(standard[:-1].std(dim=0, correction=0), np.ones(N_CODEWORDS), rtol=1e-6)
    assert not standard[-1].any()


def test_values_below_zero_are_multiplied_by_the_slope_and_1_costs_nothing():
    s = torch.tensor([[-2.0, 0.0, 3.0]])
    assert o.rectify(s, 0.25).tolist() == [[-0.5, 0, 3]]
    assert o.rectify(s, 1) is s


def test_derivatives_of_the_standardised_chain_are_those_of_finite_differences(problem):
    problem["weights"] = torch.linspace(0.5, 2, N_WORDS, dtype=torch.float64)
    values = [problem[name].clone().requires_grad_() for name in ("x", "v", "sigma", "r", "weights")]
    centre, scale = torch.linspace(0.2, 0.3, N_CODEWORDS), torch.linspace(0.01, 0.05, N_CODEWORDS)

    def loss(x, v, sigma, r, weights):
        z = o.histograms(o.word_shares(problem["shares"], weights), o.memberships(x, v, sigma))
        s = o.rectify(o.represent(o.standardise(z, centre, scale), r), 0.3)
        log_w = o.cluster_memberships(o.cosine_distances(s, problem["c"]), 0.2)
        return o.cross_entropy(log_w, SEVERAL, torch.arange(N_CLASSES))

    assert torch.autograd.gradcheck(loss, values)


def test_numpy_and_torch_give_the_same_memberships(problem):
    theirs = o.memberships(problem["x"], problem["v"], problem["sigma"]).numpy()
    ours = bag_math.memberships(problem["x"].numpy(), problem["v"].numpy(), 0.7)
    np.testing.assert_allclose(ours, theirs, atol=1e-7)


def test_fused_memberships_and_their_written_out_derivatives_are_those_of_autograd(problem):
    values = [problem[name].clone().requires_grad_() for name in ("x", "v", "sigma")]
    torch.testing.assert_close(fused_memberships(*values), o.memberships(*values))
    assert torch.autograd.gradcheck(fused_memberships, values)


def test_a_word_on_its_codeword_has_no_derivative_there_and_no_nan(problem):
    x = problem["v"][:1].clone().requires_grad_()
    sigma = torch.tensor(0.7, dtype=torch.float64)
    fused_memberships(x, problem["v"], sigma)[0, 0].backward()
    near = problem["v"][:1].clone() + 1e-9
    near.requires_grad_()
    fused_memberships(near, problem["v"][1:], sigma)  # the other codewords alone, none of which it stands on
    u = o.memberships(problem["v"][:1], problem["v"], sigma)
    d = o.euclidean_distances(problem["v"][:1], problem["v"])
    others = torch.nn.functional.normalize(problem["v"][:1] - problem["v"][1:], dim=1)
    expected = u[0, 0] / sigma**2 * (u[0, 1:, None] * others).sum(dim=0)
    assert d[0, 0] < 1e-7
    torch.testing.assert_close(x.grad[0], expected, rtol=1e-5, atol=1e-8)


def test_memberships_of_vectors_far_from_zero_keep_their_digits_in_float32(problem):
    x, v = (problem[name] + 100 for name in ("x", "v"))
    exact = o.memberships(x, v, problem["sigma"])
    single = fused_memberships(x.float(), v.float(), problem["sigma"].float())
    torch.testing.assert_close(single.double(), exact, atol=1e-4, rtol=0)


def test_entropy_of_sums_is_the_entropy_of_all_documents_at_once(problem):
    log_w = o.cluster_memberships(o.cosine_distances(problem["shares"], problem["shares"][:3]), 0.1)
    w, pi = log_w.exp(), problem["pi"]
    sums = o.entropy_of_sums(pi.T @ w, w.sum(dim=0), len(pi))
    torch.testing.assert_close(sums, o.entropy(log_w, pi))


CENTRE_CLASSES = torch.tensor([1, 0, 1, 2])
SEVERAL = torch.tensor([[1, 0, 0], [1, 0, 1], [0, 1, 0], [1, 1, 1], [0, 0, 1], [0, 1, 1]], dtype=torch.float64)


def slow_cross_entropy(w, labels, centre_classes):
    """Document by document, label by label, centre by centre."""
    total = 0.0
    for memberships, has in zip(w, labels, strict=True):
        own = [label for label, yes in enumerate(has) if yes]
        for label in own:
            p = sum(share for share, of in zip(memberships, centre_classes, strict=True) if of == label)
            total -= math.log(p) / len(own)
    return total / len(w)


def test_cross_entropy_is_that_of_plain_sums_with_several_labels_and_several_centres(problem):
    log_w = o.cluster_memberships(problem["shares"][:, :4], 0.1)
    slow = slow_cross_entropy(log_w.exp().tolist(), SEVERAL.tolist(), CENTRE_CLASSES.tolist())
    assert float(o.cross_entropy(log_w, SEVERAL, CENTRE_CLASSES)) == pytest.approx(slow, rel=1e-12)


def test_cross_entropy_of_one_label_and_one_centre_a_class_is_torchs(problem):
    distances = o.cosine_distances(problem["shares"], problem["shares"][:3])
    ours = o.cross_entropy(o.cluster_memberships(distances, 0.1), problem["pi"], torch.arange(3))
    theirs = torch.nn.functional.cross_entropy(-distances / 0.1, problem["pi"].argmax(dim=1))
    torch.testing.assert_close(ours, theirs)


def test_derivatives_of_the_cross_entropy_are_those_of_finite_differences(problem):
    distances = problem["shares"][:, :4].clone().requires_grad_()
    assert torch.autograd.gradcheck(
        lambda d: o.cross_entropy(o.cluster_memberships(d, 0.1), SEVERAL, CENTRE_CLASSES), distances
    )


def test_a_class_far_from_a_document_costs_much_and_never_infinitely_much():
    distances = torch.tensor([[0.0, 2.0]], requires_grad=True)
    loss = o.cross_entropy(o.cluster_memberships(distances, 1e-3), torch.tensor([[0.0, 1.0]]), torch.arange(2))
    loss.backward()
    assert loss.item() == pytest.approx(2000)
    assert distances.grad[0].tolist() == pytest.approx([-1000, 1000])


def test_a_tiny_sigma_or_m_gives_a_hard_assignment_and_no_nan(problem):
    problem["sigma"] = torch.tensor(1e-3, dtype=torch.float64, requires_grad=True)
    loss = entropy_of(problem, o.cosine_distances, m=1e-6)
    loss.backward()
    assert torch.isfinite(loss)
    assert torch.isfinite(problem["sigma"].grad)


def test_pure_clusters_have_no_entropy_and_mixed_ones_the_most():
    far = torch.tensor([[0.0, 9.0], [9.0, 0.0]], dtype=torch.float64)
    pi = torch.eye(2, dtype=torch.float64)
    assert float(o.entropy(o.cluster_memberships(far, 0.1), pi)) == pytest.approx(0, abs=1e-12)
    assert float(o.entropy(o.cluster_memberships(torch.zeros(2, 2), 0.1), pi)) == pytest.approx(math.log(2))


def test_where_two_vectors_coincide_the_derivative_is_zero():
    s = torch.ones(1, 3, dtype=torch.float64, requires_grad=True)
    o.euclidean_distances(s, torch.ones(1, 3, dtype=torch.float64)).sum().backward()
    assert s.grad.tolist() == [[0, 0, 0]]


def test_a_class_that_is_not_in_the_batch_adds_nothing(problem):
    with_empty = torch.cat([problem["pi"], torch.zeros(N_DOCUMENTS, 1, dtype=torch.float64)], dim=1)
    log_w = o.cluster_memberships(o.cosine_distances(problem["shares"], problem["shares"][:3]), 0.1)
    assert float(o.entropy(log_w, with_empty)) == float(o.entropy(log_w, problem["pi"]))


class TestAppendixA:
    """The appendix's derivatives against autograd: which are right, and which are not."""

    def representation(self, p):
        return o.represent(o.histograms(p["shares"], o.memberships(p["x"], p["v"], p["sigma"])), p["r"]).detach()

    def jacobian_of_w(self, p, distance, m=0.1):
        """∂w_lk / ∂s_lκ for each document, (n_documents, n_centres, n_codewords), by autograd."""
        s = self.representation(p)
        rows = [
            torch.autograd.functional.jacobian(
                lambda row: o.cluster_memberships(distance(row[None], p["c"]), m).exp()[0], row
            )
            for row in s
        ]
        return s, torch.stack(rows)

    def printed_19(self, s, c, distance, gradient, m, *, with_extra_factor):
        """Eq. (19); the printed form multiplies each derivative by the distance itself."""
        w = o.cluster_memberships(distance(s, c), m).exp()
        d = distance(s, c)[:, :, None] * gradient if with_extra_factor else gradient  # (documents, centres, codewords)
        return -w[:, :, None] / m * (d - (w[:, :, None] * d).sum(dim=1, keepdim=True))

    def test_eq_18_is_right(self, problem):
        s = self.representation(problem).requires_grad_()
        log_w = o.cluster_memberships(o.cosine_distances(s, problem["c"]), 0.1)
        w = log_w.exp().detach().requires_grad_()
        loss = o.entropy(log_w, problem["pi"])
        loss.backward()
        h, n = w.T @ problem["pi"], w.sum(dim=0)
        log_p = torch.log(h / n[:, None]).detach()  # (n_centres, n_classes)
        by_formula = -(problem["pi"] @ log_p.T) / N_DOCUMENTS  # ∂E/∂w, from Eq. (18)
        _, jacobian = self.jacobian_of_w(problem, o.cosine_distances)
        torch.testing.assert_close((by_formula[:, :, None] * jacobian).sum(dim=1), s.grad)

    def test_eq_20_is_not_the_derivative_but_right_together_with_the_factor_of_eq_19(self, problem):
        """Eq. (20) divides by the squared norm; Eq. (19) multiplies by the distance: together they are right."""
        s, jacobian = self.jacobian_of_w(problem, o.euclidean_distances)
        difference = s[:, None, :] - problem["c"]
        eq_20 = difference / (difference**2).sum(dim=2, keepdim=True)
        true_derivative = difference / difference.norm(dim=2, keepdim=True)
        together = self.printed_19(s, problem["c"], o.euclidean_distances, eq_20, 0.1, with_extra_factor=True)
        plain = self.printed_19(s, problem["c"], o.euclidean_distances, true_derivative, 0.1, with_extra_factor=False)
        torch.testing.assert_close(together, jacobian)
        torch.testing.assert_close(plain, jacobian)
        assert not torch.allclose(eq_20, true_derivative)

    def test_eqs_19_and_21_are_wrong_for_the_spherical_entropy(self, problem):
        s, jacobian = self.jacobian_of_w(problem, o.cosine_distances)
        c = problem["c"]
        l1_s, l1_c = s.sum(dim=1)[:, None, None], c.sum(dim=1)[None, :, None]
        eq_21 = -(c[None] / (l1_s * l1_c) - (s @ c.T)[:, :, None] / (l1_s**2 * l1_c))
        printed = self.printed_19(s, c, o.cosine_distances, eq_21, 0.1, with_extra_factor=True)
        assert not torch.allclose(printed, jacobian, rtol=1e-2)
        l2_s, l2_c = s.norm(dim=1)[:, None, None], c.norm(dim=1)[None, :, None]
        true_21 = -(c[None] / (l2_s * l2_c) - (s @ c.T)[:, :, None] * s[:, None, :] / (l2_s**3 * l2_c))
        corrected = self.printed_19(s, c, o.cosine_distances, true_21, 0.1, with_extra_factor=False)
        torch.testing.assert_close(corrected, jacobian)

    def test_eq_22_is_right(self, problem):
        """∂s_lκ / ∂v_m; the printed δ_km reads δ_κm."""
        p = problem
        jacobian = torch.autograd.functional.jacobian(lambda v: self.chain(p, v=v), p["v"])  # (l, κ, m, dim)
        u = o.memberships(p["x"], p["v"], p["sigma"])
        unit = torch.nn.functional.normalize(p["v"][None] - p["x"][:, None], dim=2)  # (words, codewords, dim)
        delta = torch.eye(N_CODEWORDS, dtype=torch.float64)
        inner = u[:, None, :] * (delta[None] - u[:, :, None])  # (words, κ, m): u_m (δ_κm - u_κ)
        formula = -torch.einsum("k,lj,jkm,jmd->lkmd", p["r"], p["shares"], inner, unit) / p["sigma"] ** 2
        torch.testing.assert_close(formula, jacobian)

    def test_eq_24_is_wrong_as_printed_and_right_with_u_of_t_and_the_mask(self, problem):
        """∂s_lκ / ∂x_j for one word: the printed u_lj(κ)(δ_κt - u_lj(κ)) must be u_lj(t)(δ_κt - u_lj(κ)), times r_κ."""
        p = problem
        jacobian = torch.autograd.functional.jacobian(lambda x: self.chain(p, x=x), p["x"])  # (l, κ, j, dim)
        u = o.memberships(p["x"], p["v"], p["sigma"])
        unit = torch.nn.functional.normalize(p["v"][None] - p["x"][:, None], dim=2)
        delta = torch.eye(N_CODEWORDS, dtype=torch.float64)
        printed = torch.einsum("lj,jkt,jtd->lkjd", p["shares"], u[:, :, None] * (delta - u[:, :, None]), unit)
        right = torch.einsum("k,lj,jkt,jtd->lkjd", p["r"], p["shares"], u[:, None, :] * (delta - u[:, :, None]), unit)
        assert not torch.allclose(printed / p["sigma"] ** 2, jacobian, rtol=1e-2)
        torch.testing.assert_close(right / p["sigma"] ** 2, jacobian)

    @pytest.mark.parametrize("part", ["v", "x"])
    def test_eqs_17_and_23_are_the_chain_rule(self, problem, part):
        value = problem[part].clone().requires_grad_()
        entropy_of({**problem, part: value}, o.cosine_distances).backward()
        s = self.representation(problem).requires_grad_()
        log_w = o.cluster_memberships(o.cosine_distances(s, problem["c"]), 0.1)
        o.entropy(log_w, problem["pi"]).backward()
        jacobian = torch.autograd.functional.jacobian(lambda moved: self.chain(problem, **{part: moved}), problem[part])
        torch.testing.assert_close(torch.einsum("lk,lkmd->md", s.grad, jacobian), value.grad)

    def test_eq_25_is_right(self, problem):
        jacobian = torch.autograd.functional.jacobian(lambda r: self.chain(problem, r=r), problem["r"])
        z = o.histograms(problem["shares"], o.memberships(problem["x"], problem["v"], problem["sigma"]))
        torch.testing.assert_close(torch.diagonal(jacobian, dim1=1, dim2=2), z)

    def test_eq_26_is_right(self, problem):
        sigma = problem["sigma"].clone().requires_grad_()
        distance = o.euclidean_distances(problem["x"], problem["v"])
        d = torch.exp(-distance / sigma**2)
        (gradient,) = torch.autograd.grad(d.sum(), sigma)
        torch.testing.assert_close(gradient, (2 * d / sigma**3 * distance).sum().detach())

    def chain(self, p, **changed):
        q = {**p, **changed}
        return o.represent(o.histograms(q["shares"], o.memberships(q["x"], q["v"], q["sigma"])), q["r"])
