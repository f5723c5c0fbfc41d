// Draws the map. Points are written into a buffer of pixels, which is fast for tens of thousands of them; hits, marks
// and words are drawn over it.

import {css, rgb} from "./colours.js";

const TEN = 10;
const MOST_LABELS = 14;
const WORDS = 3;

// A disc as places in a row of pixels of this width: those within it, and those on its edge with the share it covers,
// of 256. In a quick picture the edge is not soft.
function stamp(radius, width, haste) {
  const [inner, edge, shares] = [[], [], []];
  const reach = Math.ceil(radius);
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      const share = Math.min(1, radius + 0.5 - Math.hypot(dx, dy));
      if (share >= (haste ? 0.5 : 0.99)) inner.push(dy * width + dx);
      else if (share > 0 && !haste) {
        edge.push(dy * width + dx);
        shares.push(Math.round(256 * share));
      }
    }
  }
  return {reach, inner: Int32Array.from(inner), edge: Int32Array.from(edge), shares: Int32Array.from(shares)};
}

const packed = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

function radiusOf(count, zoom) {
  const base = count < 1500 ? 3 : count < 8000 ? 2.2 : count < 30000 ? 1.6 : 1.2;
  return Math.min(7, base * Math.sqrt(Math.max(1, zoom)) ** 0.7);
}

export class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", {alpha: false});
    this.readColours();
  }

  readColours() {
    const names = {
      back: "--surface",
      ink: "--ink",
      quiet: "--quiet",
      accent: "--accent",
      relevant: "--relevant",
      maybe: "--maybe",
      irrelevant: "--irrelevant",
    };
    this.colours = Object.fromEntries(Object.entries(names).map(([name, variable]) => [name, rgb(variable)]));
  }

  // shown: {places, scale, regions, hits: [number], marks: Map number -> kind, open, hover, area, drawn};
  // haste: draw a plainer picture in half the time, while the map moves.
  draw(window, shown, haste = false) {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [Math.round(window.width * ratio), Math.round(window.height * ratio)];
    if (this.canvas.width !== width || this.canvas.height !== height)
      [this.canvas.width, this.canvas.height] = [width, height];
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.#points(window, shown, {width, height, ratio, haste});
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#labels(window, shown.regions);
    this.#hits(window, shown);
    for (const area of [shown.area, shown.drawn]) if (area) this.#area(window, area);
  }

  #points(window, {places: {ids, x, y}, scale}, {width, height, ratio, haste}) {
    if (this.image?.width !== width || this.image?.height !== height)
      this.image = this.context.createImageData(width, height);
    const bytes = this.image.data;
    const pixels = new Uint32Array(bytes.buffer).fill(packed(this.colours.back));
    const whole = Uint32Array.from(scale.colours, packed);
    const {reach, inner, edge, shares} = stamp(radiusOf(ids.length, window.zoom) * ratio, width, haste);
    const step = window.scale * ratio;
    const [left, top] = [width / 2 - window.x * step, height / 2 - window.y * step];
    for (let at = 0; at < ids.length; at += 1) {
      const number = scale.order === null ? at : scale.order[at];
      const across = Math.round(x[number] * step + left);
      const down = Math.round(y[number] * step + top);
      if (across < reach || down < reach || across >= width - reach || down >= height - reach) continue;
      const middle = down * width + across;
      const colour = scale.of[number];
      for (let part = 0; part < inner.length; part += 1) pixels[middle + inner[part]] = whole[colour];
      const [red, green, blue] = scale.colours[colour];
      for (let part = 0; part < edge.length; part += 1) {
        const byte = (middle + edge[part]) * 4;
        const share = shares[part];
        bytes[byte] += ((red - bytes[byte]) * share) >> 8;
        bytes[byte + 1] += ((green - bytes[byte + 1]) * share) >> 8;
        bytes[byte + 2] += ((blue - bytes[byte + 2]) * share) >> 8;
      }
    }
    this.context.putImageData(this.image, 0, 0);
  }

  // The words of regions; words that would overlap others are left out until there is room.
  #labels(window, regions) {
    const taken = [];
    this.context.font = "600 12px system-ui, sans-serif";
    this.context.textAlign = "center";
    for (const {x, y, words} of regions) {
      const text = words.slice(0, WORDS).join(" · ");
      const [across, down] = [window.across(x), window.down(y)];
      const half = this.context.measureText(text).width / 2 + 6;
      const box = [across - half, down - 12, across + half, down + 12];
      if (box[0] < 0 || box[2] > window.width || box[1] < 0 || box[3] > window.height) continue;
      if (taken.some((one) => box[0] < one[2] && box[2] > one[0] && box[1] < one[3] && box[3] > one[1])) continue;
      taken.push(box);
      this.#words(text, across, down + 4, this.colours.ink);
      if (taken.length >= MOST_LABELS) return;
    }
  }

  #words(text, across, down, colour) {
    const {context} = this;
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = css(this.colours.back);
    context.strokeText(text, across, down);
    context.fillStyle = css(colour);
    context.fillText(text, across, down);
  }

  #hits(window, {places, hits, marks, open, hover}) {
    const at = (number) => [window.across(places.x[number]), window.down(places.y[number])];
    for (const number of [...hits].reverse()) if (!marks.has(number)) this.#disc(at(number), 4.5, this.colours.accent);
    for (const above of ["irrelevant", "maybe", "relevant"]) {
      for (const [number, kind] of marks) if (kind === above) this.#mark(at(number), kind);
    }
    this.context.font = "700 11px system-ui, sans-serif";
    hits.slice(0, TEN).forEach((number, rank) => {
      const [across, down] = at(number);
      this.#words(String(rank + 1), across + 11, down - 6, this.colours.accent);
    });
    if (open !== null) this.#ring(at(open), 10, this.colours.ink);
    if (hover !== null) this.#ring(at(hover), 7, this.colours.ink);
  }

  #disc([across, down], radius, colour) {
    const {context} = this;
    context.beginPath();
    context.arc(across, down, radius, 0, 2 * Math.PI);
    context.fillStyle = css(colour);
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = css(this.colours.back);
    context.stroke();
  }

  // Marks differ in shape as well as in colour: a tick, a cross, a bar.
  #mark([across, down], kind) {
    const {context} = this;
    this.#disc([across, down], 8, this.colours[kind]);
    context.beginPath();
    const lines = {
      relevant: [
        [-3.5, 0],
        [-1, 3],
        [4, -3],
      ],
      maybe: [
        [-3.5, 0],
        [3.5, 0],
      ],
      irrelevant: [[-3, -3], [3, 3], null, [3, -3], [-3, 3]],
    };
    let pen = false;
    for (const point of lines[kind]) {
      if (point) context[pen ? "lineTo" : "moveTo"](across + point[0], down + point[1]);
      pen = point !== null;
    }
    context.lineWidth = 2;
    context.stroke();
  }

  #ring([across, down], radius, colour) {
    const {context} = this;
    context.beginPath();
    context.arc(across, down, radius, 0, 2 * Math.PI);
    context.lineWidth = 2;
    context.strokeStyle = css(colour);
    context.stroke();
  }

  #area(window, [x0, y0, x1, y1]) {
    const {context} = this;
    const box = [window.across(x0), window.down(y0), (x1 - x0) * window.scale, (y1 - y0) * window.scale];
    context.save();
    context.globalAlpha = 0.1;
    context.fillStyle = css(this.colours.accent);
    context.fillRect(...box);
    context.globalAlpha = 1;
    context.setLineDash([5, 4]);
    context.lineWidth = 1.5;
    context.strokeStyle = css(this.colours.accent);
    context.strokeRect(...box);
    context.restore();
  }
}
