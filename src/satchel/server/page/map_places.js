// Where documents lie on the map: their places, a grid to find the nearest, and the part of it that is in view.

const CELLS = 128;
const [LEAST_ZOOM, MOST_ZOOM] = [0.8, 80];
const MOST_SHOWN = 12;
const MARGIN = 0.94;

export class Places {
  constructor(ids, x, y) {
    this.ids = ids;
    this.x = Float32Array.from(x);
    this.y = Float32Array.from(y);
    this.numbers = new Map(ids.map((id, number) => [id, number]));
    this.#sort();
  }

  #cell(x, y) {
    const side = (value) => Math.max(0, Math.min(CELLS - 1, Math.floor(value * CELLS)));
    return side(y) * CELLS + side(x);
  }

  // The documents of a cell are `members` from `starts[cell]` to `starts[cell + 1]`.
  #sort() {
    const cells = Uint32Array.from(this.x, (x, number) => this.#cell(x, this.y[number]));
    this.starts = new Uint32Array(CELLS * CELLS + 1);
    for (const cell of cells) this.starts[cell + 1] += 1;
    for (let cell = 0; cell < CELLS * CELLS; cell += 1) this.starts[cell + 1] += this.starts[cell];
    const next = this.starts.slice();
    this.members = new Uint32Array(cells.length);
    cells.forEach((cell, number) => {
      this.members[next[cell]] = number;
      next[cell] += 1;
    });
  }

  // The document nearest to a place and not farther than `reach`; -1 if there is none.
  nearest(x, y, reach) {
    const side = (value) => Math.max(0, Math.min(CELLS - 1, Math.floor(value * CELLS)));
    let [found, least] = [-1, reach * reach];
    for (let row = side(y - reach); row <= side(y + reach); row += 1) {
      for (let column = side(x - reach); column <= side(x + reach); column += 1) {
        const cell = row * CELLS + column;
        for (let at = this.starts[cell]; at < this.starts[cell + 1]; at += 1) {
          const number = this.members[at];
          const far = (this.x[number] - x) ** 2 + (this.y[number] - y) ** 2;
          if (far < least) [found, least] = [number, far];
        }
      }
    }
    return found;
  }
}

// The part in view: a centre and a zoom; sizes are those of the canvas, in CSS pixels.
export class Window {
  constructor() {
    this.whole();
    this.width = this.height = 1;
  }

  whole() {
    [this.x, this.y, this.zoom] = [0.5, 0.5, 1];
  }

  get scale() {
    return Math.min(this.width, this.height) * MARGIN * this.zoom;
  }

  across(x) {
    return (x - this.x) * this.scale + this.width / 2;
  }

  down(y) {
    return (y - this.y) * this.scale + this.height / 2;
  }

  place(across, down) {
    return [(across - this.width / 2) / this.scale + this.x, (down - this.height / 2) / this.scale + this.y];
  }

  move(across, down) {
    this.x = Math.max(0, Math.min(1, this.x - across / this.scale));
    this.y = Math.max(0, Math.min(1, this.y - down / this.scale));
  }

  // The point under the pointer stays there.
  zoomBy(factor, across = this.width / 2, down = this.height / 2) {
    const [x, y] = this.place(across, down);
    this.zoom = Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, this.zoom * factor));
    const [nowX, nowY] = this.place(across, down);
    [this.x, this.y] = [this.x + x - nowX, this.y + y - nowY];
  }

  // Moves the view so that some documents are in it, with a margin around them.
  show(places, numbers) {
    const [xs, ys] = [numbers.map((number) => places.x[number]), numbers.map((number) => places.y[number])];
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    this.whole();
    [this.x, this.y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    const wide = Math.max((x1 - x0) / this.width, (y1 - y0) / this.height) * this.scale;
    this.zoomBy(Math.min(MOST_SHOWN, 0.75 / Math.max(wide, 1e-3)));
  }

  get area() {
    const [x0, y0] = this.place(0, 0);
    const [x1, y1] = this.place(this.width, this.height);
    return [x0, y0, x1, y1].map((value) => Math.round(Math.max(0, Math.min(1, value)) * 1e4) / 1e4);
  }
}
