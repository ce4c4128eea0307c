#include "fair/multipliers.hpp"

#include <algorithm>
#include <cmath>

namespace surelist::fair {

namespace {

constexpr std::size_t kWidth = 30;
constexpr int kSteps = 60;
constexpr int kImpatience = 4;     // steps without a better bound until the pace is halved
constexpr double kFirstGap = 0.1;  // assumed while no fair list is known

// By how much a selection breaks a constraint, in units of its largest factor.
double broken(const Linear& rule, const Counts& selected) {
  double largest = 1;
  double sum = -static_cast<double>(rule.most);
  for (std::size_t i = 0; i < selected.size(); ++i) {
    const auto factor = static_cast<double>(rule.factors[i]);
    largest = std::max(largest, std::abs(factor));
    sum += factor * static_cast<double>(selected[i]);
  }
  return sum / largest;
}

}  // namespace

Multipliers::Multipliers(const FairProblem& problem, const Gains::Index& index, Weight unit)
    : problem_(problem),
      unit_(unit),
      beam_(problem, index, kWidth),
      now_(problem.constraints().linear().size(), 0.0),
      best_(now_.size(), 0) {}

std::vector<Weight> Multipliers::whole() const {
  std::vector<Weight> rounded(now_.size());
  const Weight most = Relaxation::most_multiplier(unit_, now_.size());
  for (std::size_t j = 0; j < now_.size(); ++j) {
    const double wanted = now_[j] * static_cast<double>(unit_);
    rounded[j] = std::min(most, static_cast<Weight>(std::llround(std::min(wanted, 1e18))));
  }
  return rounded;
}

bool Multipliers::move(const Beam::Best& found, const Incumbent& incumbent) {
  std::vector<double> slope(now_.size());
  double square = 0;
  for (std::size_t j = 0; j < now_.size(); ++j) {
    slope[j] = broken(problem_.constraints().linear()[j], found.selected);
    if (slope[j] < 0 && now_[j] <= 0) slope[j] = 0;
    square += slope[j] * slope[j];
  }
  if (square == 0) return false;
  const ObjectiveScale& scale = problem_.scale();
  const double best =
      incumbent.found() ? scale.real(incumbent.objective()) : found.objective + kFirstGap;
  const double gap = std::max(0.0, best - found.objective) / scale.real(scale.loss(1));
  if (gap <= 0) return false;
  for (std::size_t j = 0; j < now_.size(); ++j) {
    now_[j] = std::max(0.0, now_[j] + pace_ * gap * slope[j] / square);
  }
  return true;
}

bool Multipliers::step(Incumbent& incumbent) {
  const std::vector<Weight> rounded = whole();
  const Relaxation relaxation(problem_.rows(), problem_.constraints(), unit_, rounded);
  const Beam::Best found = beam_.run(relaxation, incumbent);
  if (found.objective > best_objective_) {
    best_objective_ = found.objective;
    best_ = rounded;
    since_best_ = 0;
  } else if (++since_best_ % kImpatience == 0) {
    pace_ /= 2;
  }
  return ++steps_ < kSteps && pace_ > 1e-3 && move(found, incumbent);
}

}  // namespace surelist::fair
