// Moves the map: drag to move; wheel, pinch or keys to zoom; Shift and drag to draw an area.

const STEP = 60;
const ZOOM = 1.4;
const STILL = 4;

// does: {changed(), hover(across, down), leave(), click(across, down), areaDrawn(area | null), areaDone(area)};
// drawsArea(): whether a plain drag draws an area.
export function listen(canvas, window, does, drawsArea) {
  const pointers = new Map();
  let start = null;

  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const areaTo = ([across, down]) => {
    const [[x0, y0], [x1, y1]] = [window.place(...start.at), window.place(across, down)];
    return [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
  };

  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, at(event));
    canvas.setPointerCapture(event.pointerId);
    start = {at: at(event), last: at(event), area: event.shiftKey || drawsArea(), moved: false};
  });
  canvas.addEventListener("pointermove", (event) => {
    const now = at(event);
    if (!pointers.has(event.pointerId)) return does.hover(...now);
    if (pointers.size === 2) return pinch(event.pointerId, now);
    pointers.set(event.pointerId, now);
    if (Math.hypot(now[0] - start.at[0], now[1] - start.at[1]) > STILL) start.moved = true;
    if (start.area) return does.areaDrawn(areaTo(now));
    window.move(now[0] - start.last[0], now[1] - start.last[1]);
    start.last = now;
    return does.changed();
  });
  const pinch = (id, now) => {
    const [other] = [...pointers].filter(([one]) => one !== id).map(([, place]) => place);
    const far = (one) => Math.hypot(one[0] - other[0], one[1] - other[1]) || 1;
    window.zoomBy(far(now) / far(pointers.get(id)), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    pointers.set(id, now);
    start.moved = true;
    does.changed();
  };
  canvas.addEventListener("pointerup", (event) => {
    pointers.delete(event.pointerId);
    if (!start) return;
    if (start.area && start.moved) does.areaDone(areaTo(at(event)));
    else if (!start.moved) does.click(...at(event));
    if (!pointers.size) start = null;
  });
  canvas.addEventListener("pointercancel", (event) => {
    pointers.delete(event.pointerId);
    does.areaDrawn(null);
  });
  canvas.addEventListener("pointerleave", () => does.leave());
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      window.zoomBy(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), ...at(event));
      does.changed();
    },
    {passive: false},
  );
  canvas.addEventListener("dblclick", (event) => {
    window.zoomBy(ZOOM ** 2, ...at(event));
    does.changed();
  });
  canvas.addEventListener("keydown", (event) => {
    const moves = {ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP]};
    if (event.key in moves) window.move(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") window.zoomBy(ZOOM);
    else if (event.key === "-") window.zoomBy(1 / ZOOM);
    else if (event.key === "0") window.whole();
    else return;
    event.preventDefault();
    does.changed();
  });
}
