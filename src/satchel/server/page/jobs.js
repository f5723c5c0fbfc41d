// Follows a job of the server to its end: by events if they arrive, otherwise by asking again and again.

import {Gone, Refusal, read, whenBack} from "./api.js";
import {number} from "./dom.js";

const PAUSE = 400;
const ENDED = ["done", "failed"];
// The status for a job that the server does not know, because it was restarted.
export const LOST = 404;

// Resolves to the job when it is done; fails with the job's error. `onStep` gets every state in between.
export async function follow(id, onStep = () => {}) {
  const job = await byEvents(id, onStep).catch(() => byAsking(id, onStep));
  if (job.state === "failed") throw new Refusal(job.error ?? "The job failed.", 500);
  return job;
}

function byEvents(id, onStep) {
  return new Promise((resolve, reject) => {
    const events = new EventSource(`/api/jobs/${encodeURIComponent(id)}/events`);
    events.onmessage = (event) => {
      const job = JSON.parse(event.data);
      onStep(job);
      if (!ENDED.includes(job.state)) return;
      events.close();
      resolve(job);
    };
    events.onerror = () => {
      events.close();
      reject(new Gone("The events ended."));
    };
  });
}

async function byAsking(id, onStep) {
  for (;;) {
    try {
      const job = await read(`/api/jobs/${encodeURIComponent(id)}`);
      onStep(job);
      if (ENDED.includes(job.state)) return job;
    } catch (error) {
      if (error.status === LOST)
        throw new Refusal("The server was restarted during this job. Check whether it was done, and start it again if not.", LOST);
      if (!(error instanceof Gone)) throw error;
      await whenBack();
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

// "reading documents, 120 of 400"
export function stepOf(job) {
  const counted = job.total ? `, ${number(job.done)} of ${number(job.total)}` : job.done ? `, ${number(job.done)}` : "";
  return `${job.step || "starting"}${counted}`;
}
