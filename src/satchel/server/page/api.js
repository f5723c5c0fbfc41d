// Requests to the server. An error answer becomes a `Refusal` with the server's sentence; lost servers are waited for.

import {tell} from "./state.js";

export class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export class Gone extends Error {}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 5000;
let returning = null;

async function answered(path, options = {}) {
  let reply;
  try {
    reply = await fetch(path, {credentials: "same-origin", ...options});
  } catch (error) {
    if (error.name === "AbortError") throw error;
    whenBack();
    throw new Gone("The server does not answer.");
  }
  if (reply.ok) return reply;
  throw new Refusal(await sentence(reply), reply.status);
}

async function sentence(reply) {
  try {
    return (await reply.json()).error ?? `The server answered ${reply.status}.`;
  } catch {
    return `The server answered ${reply.status}.`;
  }
}

// Resolves when the server answers again; all callers share one wait.
export function whenBack() {
  returning ??= waited().finally(() => {
    returning = null;
  });
  return returning;
}

let hurry = () => {};
export const tryNow = () => hurry();

async function waited() {
  tell("gone");
  for (let pause = FIRST_WAIT; ; pause = Math.min(pause * 1.6, LONGEST_WAIT)) {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    try {
      if ((await fetch("/api/health")).ok) break;
    } catch {
      tell("still gone");
    }
  }
  tell("back");
}

const JSON_BODY = {"Content-Type": "application/json"};

export async function read(path, {signal} = {}) {
  return (await answered(path, {signal})).json();
}

export async function send(path, body, {signal, method = "POST"} = {}) {
  const reply = await answered(path, {method, headers: JSON_BODY, body: JSON.stringify(body ?? {}), signal});
  const text = await reply.text();
  return text ? JSON.parse(text) : null;
}

export const remove = (path) => send(path, {}, {method: "DELETE"});

// The address of a part of a collection; parameters that are null are left out.
export function of(collection, what = "", parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined);
  const search = given.length ? `?${new URLSearchParams(given)}` : "";
  return `/api/collections/${encodeURIComponent(collection)}${what ? `/${what}` : ""}${search}`;
}

// Sends files; calls `onShare` with the share sent so far, from 0 to 1.
export function upload(path, files, onShare) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    for (const file of files) form.append("files", file, file.webkitRelativePath || file.name);
    request.open("POST", path);
    request.responseType = "json";
    request.upload.onprogress = (event) => event.lengthComputable && onShare(event.loaded / event.total);
    request.onerror = () => {
      whenBack();
      reject(new Gone("The server does not answer; nothing was added."));
    };
    request.onload = () => {
      if (request.status < 300) resolve(request.response);
      else reject(new Refusal(request.response?.error ?? `The server answered ${request.status}.`, request.status));
    };
    request.send(form);
  });
}

// Saves the server's answer as a file, under the name that the server gives it or else this name.
export async function download(path, body, name) {
  const reply = await answered(path, body ? {method: "POST", headers: JSON_BODY, body: JSON.stringify(body)} : {});
  const disposition = reply.headers.get("Content-Disposition") ?? "";
  const [given, whole] = [/filename="([^"]+)"/.exec(disposition), /filename\*=UTF-8''(\S+)/.exec(disposition)];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await reply.blob());
  link.download = whole ? decodeURIComponent(whole[1]) : given ? given[1] : name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return link.download;
}
