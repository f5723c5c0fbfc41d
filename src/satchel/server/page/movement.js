// How hits moved: a badge for each hit, a sentence for the list, and an animation.

import {el, plural} from "./dom.js";
import {icon} from "./icons.js";

const DURATION = 420;
const FURTHEST = 600;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// The number of places gained; null if the hit did not move or its earlier rank is unknown.
function gain(hit) {
  if (hit.earlier_rank === null || hit.earlier_rank === undefined) return null;
  return hit.earlier_rank - hit.rank || null;
}

export function badge(hit, compared) {
  const moved = gain(hit);
  if (moved === null) return compared && hit.earlier_rank == null ? el("span.move.new", {}, "new") : null;
  const way = moved > 0 ? "up" : "down";
  const said = `moved ${way} from rank ${hit.earlier_rank} to ${hit.rank}`;
  return el(
    `span.move.${way}`,
    {title: said},
    icon(way),
    el("span.ranks", {"aria-hidden": "true"}, `${hit.earlier_rank} → ${hit.rank}`),
    el("span.unseen", {}, said),
  );
}

// "Ranked again: 14 of these 20 moved; asyncio.wait rose most, from 41 to 3."
export function sentenceOf(hits, unmoved = "the order of these hits is as before") {
  const moved = hits.filter((hit) => gain(hit) !== null || hit.earlier_rank == null);
  if (!moved.length) return `Ranked again: ${unmoved}.`;
  const best = hits.reduce((one, other) => ((gain(other) ?? 0) > (gain(one) ?? 0) ? other : one));
  const most = gain(best) > 0 ? `; ${best.title || best.id} rose most, from ${best.earlier_rank} to ${best.rank}` : "";
  return `Ranked again: ${moved.length} of these ${plural(hits.length, "hit")} moved${most}.`;
}

export function places(list) {
  return new Map([...list.children].map((item) => [item.dataset.id, item.getBoundingClientRect().top]));
}

// Animates each item from its earlier place to its new one; new items come from the place of their earlier rank.
export function play(list, before, hits) {
  if (calm.matches || !before.size) return;
  const gains = new Map(hits.map((hit) => [hit.id, gain(hit)]));
  for (const item of list.children) {
    const now = item.getBoundingClientRect().top;
    if (now > innerHeight + FURTHEST) continue;
    const was = before.get(item.dataset.id);
    const way = was !== undefined ? was - now : (gains.get(item.dataset.id) ?? 1) >= 0 ? 80 : -80;
    if (Math.abs(way) < 1) continue;
    const far = Math.max(-FURTHEST, Math.min(FURTHEST, way));
    const start = {transform: `translateY(${far}px)`, opacity: was === undefined ? 0 : 1};
    item.animate([start, {transform: "none", opacity: 1}], {duration: DURATION, easing: "cubic-bezier(.2,.8,.2,1)"});
  }
}
