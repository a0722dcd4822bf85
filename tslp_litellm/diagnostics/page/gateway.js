// Asking the gateway. The key lives in this tab's session storage and in the Authorization header, nowhere else.

const KEY_NAME = "tslp.key";
const TIMEOUT_MS = 20000;
const RETRIES = 2; // where the gateway says when to come again
const RETRY_MAX_S = 30;

class Refused extends Error {} // the key, or that there is none
class Down extends Error {} // no answer
class Missing extends Error {} // 404
class Fault extends Error {} // any other answer

function storedKey() {
  try {
    return sessionStorage.getItem(KEY_NAME) || "";
  } catch {
    return keptKey;
  }
}

let keptKey = ""; // where the browser keeps nothing

function storeKey(key) {
  keptKey = key;
  try {
    if (key) sessionStorage.setItem(KEY_NAME, key);
    else sessionStorage.removeItem(KEY_NAME);
  } catch {
    // kept in the variable
  }
  heard.clear();
}

const heard = new Map(); // address -> {etag, body}, for answers that say when they are unchanged
const HEARD_MAX = 64;

// The answer, and whether it is the one already held. `path` is relative to the page, so it holds under any root path.
async function ask(path, parameters, retries = RETRIES) {
  const address = new URL(path, document.baseURI.split("#")[0]);
  for (const [name, value] of Object.entries(parameters || {})) {
    if (value !== null && value !== undefined && value !== "") address.searchParams.set(name, value);
  }
  const known = heard.get(address.href);
  const headers = { Accept: "application/json" };
  const key = storedKey();
  if (key) headers.Authorization = `Bearer ${key}`;
  if (known) headers["If-None-Match"] = known.etag;
  let answer;
  try {
    answer = await fetch(address, { headers, cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw new Down(error.name === "TimeoutError" ? "no answer in time" : "no connection");
  }
  const at = Date.parse(answer.headers.get("Date") || "");
  if (Number.isFinite(at) && Math.abs(at - Date.now()) > 2000) clockOffset = at - Date.now();
  const later = answer.status === 429 ? Number(answer.headers.get("Retry-After")) : 0;
  if (retries && later > 0 && later <= RETRY_MAX_S) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * later));
    return ask(path, parameters, retries - 1);
  }
  if (answer.status === 304 && known) return { body: known.body, same: true };
  const text = await answer.text().catch(() => "");
  if (!answer.ok) throw failure(answer.status, text);
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Fault("the answer is no JSON; is this a gateway?");
  }
  const etag = answer.headers.get("ETag");
  if (etag) {
    if (heard.size >= HEARD_MAX) heard.delete(heard.keys().next().value);
    heard.set(address.href, { etag, body });
  }
  return { body, same: false };
}

function failure(status, text) {
  let said = "";
  let type = "";
  try {
    const body = JSON.parse(text);
    const error = body.error || {};
    said = error.message || (typeof body.detail === "string" ? body.detail : "");
    type = error.type || "";
  } catch {
    // no JSON, nothing to quote
  }
  const words = String(said).split("\n")[0].slice(0, 300);
  if (status === 401 || status === 403 || /auth|no_db_connection|token_not_found/.test(type)) return new Refused(words || `HTTP ${status}`);
  if (status === 404) return new Missing(words);
  if (status >= 502 && status <= 504) return new Down(`HTTP ${status}`);
  return new Fault(`HTTP ${status}${words ? `: ${words}` : ""}`);
}
