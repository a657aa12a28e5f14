/**
 * @file The service worker: what was loaded once is there without a network. The page itself is asked for first and
 * kept for when there is no answer; all other files have their version in their name and are taken as they are kept.
 */

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends Extendable {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
/** What this file needs of a service worker's global object; the compiler knows only a window's. */
interface Scope {
  /** All files of this version but the page, and the version's name: written here by the build. */
  readonly npdbFiles: readonly string[];
  readonly npdbBuild: string;
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate' | 'message', take: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', take: (event: FetchEvent) => void): void;
}

const scope = globalThis as unknown as Scope;
const base = new URL('./', scope.location.href).href;
const CACHE = 'npdb';
/** Milliseconds for an answer to a visit, before the page that is kept is shown. */
const PATIENCE = 4_000;

const wanted = (): string[] => [base, ...scope.npdbFiles.map((name) => new URL(name, base).href)];

scope.addEventListener('install', (event) => {
  // Only what the page needs to be drawn; the large files follow when the page asks for them.
  const small = wanted().filter((url) => !url.includes('/runtime/'));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(small)));
  void scope.skipWaiting();
});

scope.addEventListener('activate', (event) => {
  event.waitUntil(scope.clients.claim().then(forgetOld));
});

/** The page is loaded and idle: keep the rest. */
scope.addEventListener('message', (event) => {
  const [port] = (event as unknown as MessageEvent).ports;
  event.waitUntil(keepAll().then((all) => all && port?.postMessage('kept')));
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(base)) return;
  event.respondWith(request.mode === 'navigate' ? page(request) : file(request));
});

/** True if nothing is missing. */
async function keepAll(): Promise<boolean> {
  const cache = await caches.open(CACHE);
  let all = true;
  for (const url of wanted()) {
    if (await cache.match(url)) continue;
    all =
      (await cache.add(url).then(
        () => true,
        () => false,
      )) && all;
  }
  return all;
}

async function forgetOld(): Promise<void> {
  const cache = await caches.open(CACHE);
  const current = new Set(wanted());
  for (const request of await cache.keys()) {
    if (!current.has(request.url)) await cache.delete(request);
  }
}

async function page(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = (): Promise<Response | undefined> => cache.match(base);
  const fresh = fetch(request).then(async (response) => {
    if (response.ok) await cache.put(base, response.clone());
    return response;
  });
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE));
  const first = await Promise.race([fresh.catch(() => undefined), late]);
  return first ?? (await kept()) ?? fresh;
}

async function file(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && response.status === 200) await cache.put(request, response.clone());
  return response;
}
