// Colours of the map, from the style sheet, and scales that give each document a colour.

const PALETTE = ["--map-1", "--map-2", "--map-3", "--map-4", "--map-5", "--map-6", "--map-7", "--map-8", "--map-9"];
const SHADES = 24;
const [LOW, HIGH] = [0.5, 0.997];

const probe = document.createElement("span");
probe.hidden = true;
document.documentElement.append(probe);

// A colour of the style sheet as [red, green, blue].
export function rgb(name) {
  probe.style.color = `var(${name})`;
  const read = getComputedStyle(probe).color;
  return read
    .match(/[\d.]+/g)
    .slice(0, 3)
    .map(Number);
}

export const css = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;

const mix = (from, to, share) => from.map((value, place) => Math.round(value + (to[place] - value) * share));

// Each scale: {colours: [[r, g, b]], of: Uint8Array a colour for each document, order: drawn last on top, legend}.
export function plainScale(count) {
  return {colours: [rgb("--map-point")], of: new Uint8Array(count), order: null, legend: []};
}

// By score: documents far from the query stay pale.
export function scoreScale(scores) {
  const sorted = Float32Array.from(scores).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  const [low, high] = [at(LOW), Math.max(at(HIGH), at(LOW) + 1e-6)];
  const [pale, full] = [rgb("--map-point"), rgb("--map-score")];
  const of = Uint8Array.from(scores, (score) =>
    Math.round(Math.max(0, Math.min(1, (score - low) / (high - low))) ** 1.4 * (SHADES - 1)),
  );
  const colours = Array.from({length: SHADES}, (_, shade) => mix(pale, full, shade / (SHADES - 1)));
  return {
    colours,
    of,
    order: ordered(of),
    legend: {ramp: [colours[0], full], from: `up to ${low.toFixed(2).replace("-", "−")}`, to: high.toFixed(2)},
  };
}

// By the values of a field: the most frequent values have colours of their own; many numbers make a ramp.
export function fieldScale(values) {
  const first = values.map((value) => (Array.isArray(value) ? value[0] : value) ?? null);
  const counts = new Map();
  for (const value of first) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.size > PALETTE.length && [...counts.keys()].every((value) => typeof value === "number"))
    return amountScale(first);
  const named = [...counts]
    .sort((one, other) => other[1] - one[1])
    .slice(0, PALETTE.length)
    .map(([value]) => value);
  const place = new Map(named.map((value, at) => [value, at + 1]));
  const colours = [rgb("--map-point"), ...PALETTE.slice(0, named.length).map(rgb)];
  const of = Uint8Array.from(first, (value) => place.get(value) ?? 0);
  const legend = named.map((value, at) => ({value, colour: colours[at + 1], count: counts.get(value)}));
  const others = counts.size - named.length;
  if (others > 0) legend.push({value: null, said: `${others} others`, colour: colours[0]});
  return {colours, of, order: ordered(of), legend};
}

function amountScale(values) {
  const known = values.filter((value) => value !== null);
  const [low, high] = known.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );
  const [from, to] = [rgb("--map-1"), rgb("--map-2")];
  const colours = [
    rgb("--map-point"),
    ...Array.from({length: SHADES}, (_, shade) => mix(from, to, shade / (SHADES - 1))),
  ];
  const of = Uint8Array.from(values, (value) =>
    value === null ? 0 : 1 + Math.round(((value - low) / (high - low || 1)) * (SHADES - 1)),
  );
  return {colours, of, order: ordered(of), legend: {ramp: [from, to], from: String(low), to: String(high)}};
}

// Documents sorted by colour, stable: pale ones first, so that the others are drawn over them.
function ordered(of) {
  const starts = new Uint32Array(257);
  for (const colour of of) starts[colour + 1] += 1;
  for (let colour = 0; colour < 256; colour += 1) starts[colour + 1] += starts[colour];
  const order = new Uint32Array(of.length);
  of.forEach((colour, place) => {
    order[starts[colour]] = place;
    starts[colour] += 1;
  });
  return order;
}
