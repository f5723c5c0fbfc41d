// Draws the map. Points are stamped into a buffer of pixels, which stays smooth with tens of thousands of them;
// hits, marks and words are drawn over it.

import {css, rgb} from "./colours.js";

const TEN = 10;
const MOST_LABELS = 14;
const WORDS = 3;

// How much of each pixel a disc covers: [[dx, dy, share]].
function stamp(radius) {
  const found = [];
  const reach = Math.ceil(radius);
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      const share = Math.max(0, Math.min(1, radius + 0.5 - Math.hypot(dx, dy)));
      if (share > 0) found.push([dx, dy, share]);
    }
  }
  return found;
}

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
    const names = {back: "--surface", ink: "--ink", quiet: "--quiet", accent: "--accent", relevant: "--relevant", maybe: "--maybe", irrelevant: "--irrelevant"};
    this.colours = Object.fromEntries(Object.entries(names).map(([name, variable]) => [name, rgb(variable)]));
  }

  // shown: {places, scale, regions, hits: [number], marks: Map number -> verdict, open, hover, area, drawn}
  draw(window, shown) {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [Math.round(window.width * ratio), Math.round(window.height * ratio)];
    if (this.canvas.width !== width || this.canvas.height !== height) [this.canvas.width, this.canvas.height] = [width, height];
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.#points(window, shown, width, height, ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#labels(window, shown.regions);
    this.#hits(window, shown);
    for (const area of [shown.area, shown.drawn]) if (area) this.#area(window, area);
  }

  #buffer(width, height) {
    if (this.image?.width !== width || this.image?.height !== height) this.image = this.context.createImageData(width, height);
    const [red, green, blue] = this.colours.back;
    new Uint32Array(this.image.data.buffer).fill((255 << 24) | (blue << 16) | (green << 8) | red);
    return this.image.data;
  }

  #points(window, {places, scale}, width, height, ratio) {
    const pixels = this.#buffer(width, height);
    const shape = stamp(radiusOf(places.ids.length, window.zoom) * ratio);
    const reach = Math.ceil(Math.sqrt(shape.length));
    const [step, left, top] = [window.scale * ratio, width / 2 - window.x * window.scale * ratio, height / 2 - window.y * window.scale * ratio];
    for (let at = 0; at < places.ids.length; at += 1) {
      const number = scale.order ? scale.order[at] : at;
      const x = Math.round(places.x[number] * step + left);
      const y = Math.round(places.y[number] * step + top);
      if (x < reach || y < reach || x >= width - reach || y >= height - reach) continue;
      const [red, green, blue] = scale.colours[scale.of[number]];
      for (const [dx, dy, share] of shape) {
        const pixel = ((y + dy) * width + x + dx) * 4;
        pixels[pixel] += (red - pixels[pixel]) * share;
        pixels[pixel + 1] += (green - pixels[pixel + 1]) * share;
        pixels[pixel + 2] += (blue - pixels[pixel + 2]) * share;
      }
    }
    this.context.putImageData(this.image, 0, 0);
  }

  // Words of regions; those that would lie on others are left out until there is room.
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
    for (const [number, verdict] of marks) this.#mark(at(number), verdict);
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

  // A mark is told by its shape as well as its colour: a tick, a cross, a bar.
  #mark([across, down], verdict) {
    const {context} = this;
    this.#disc([across, down], 8, this.colours[verdict]);
    context.beginPath();
    const lines = {relevant: [[-3.5, 0], [-1, 3], [4, -3]], maybe: [[-3.5, 0], [3.5, 0]], irrelevant: [[-3, -3], [3, 3], null, [3, -3], [-3, 3]]};
    let pen = false;
    for (const point of lines[verdict]) {
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
