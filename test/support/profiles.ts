import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

// Lets the browser tests of a worker reuse browser profiles. A window that stays on the service keeps its process and the compiled scripts, so
// the next page needs less than half of the CPU time.

/** Browser profile with an open window. */
export type Profile = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Closes the profile, or cleans it for the next test. Later calls have no effect. */
  readonly close: () => Promise<void>;
};

/** Profile that no test uses. `key` contains the options of the profile. */
type Idle = { readonly key: string; readonly context: BrowserContext; readonly page: Page };

/** Maximum number of idle profiles. Each profile keeps a process with about 100 MB. */
const maxIdle = 3;

const idle: Idle[] = [];

/** Methods with effects that remain for all later pages. A profile isn't reused after such a call. */
const lasting: readonly string[] = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
  'route',
  'setExtraHTTPHeaders',
];

/** Calls `called` before each call of a method, until the returned function is called. */
function watch<T extends object>(owner: T, name: string, called: (args: unknown[]) => void): () => void {
  const method: unknown = Reflect.get(owner, name);
  if (typeof method !== 'function') return () => undefined;
  Reflect.set(owner, name, (...args: unknown[]): unknown => {
    called(args);
    return Reflect.apply(method, owner, args);
  });
  return () => Reflect.deleteProperty(owner, name);
}

/** Cookies, stored values, listeners, and emulated settings don't reach the next test. */
async function clean({ context, page }: Idle, options: BrowserContextOptions): Promise<void> {
  for (const other of context.pages().filter((each) => each !== page)) await other.close();
  await context.setOffline(false);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  // Another page of the same host keeps the process. A blank page would end it.
  const response = await page.goto(new URL('/healthz', page.url()).href);
  if (response?.ok() !== true) throw new Error('The page is not on the service.');
  await context.clearCookies();
  const { colorScheme = 'light', reducedMotion = 'no-preference', forcedColors = 'none', viewport } = options;
  await page.emulateMedia({ media: null, colorScheme, reducedMotion, forcedColors });
  if (viewport) await page.setViewportSize(viewport);
}

async function create(browser: Browser, options: BrowserContextOptions, script: (() => void) | null) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  if (script !== null) await page.addInitScript(script);
  return { context, page };
}

/** True if no test uses the profile of a context. */
export const isIdle = (context: BrowserContext): boolean => idle.some((each) => each.context === context);

/** Opens a browser profile. `script` runs in each page before the scripts of the page. */
export async function openProfile(
  browser: Browser,
  options: BrowserContextOptions,
  script: (() => void) | null = null,
): Promise<Profile> {
  const key = JSON.stringify([options, String(script)]);
  const index = idle.findIndex((each) => each.key === key && each.context.browser() === browser);
  const { context, page } =
    idle.splice(index, index === -1 ? 0 : 1)[0] ?? (await create(browser, options, script));
  let isReusable = true;
  const listening: (() => unknown)[] = [];
  const unwatch = [context, page].flatMap((owner: BrowserContext | Page) => [
    ...lasting.map((name) =>
      watch(owner, name, () => {
        isReusable = false;
      }),
    ),
    watch(owner, 'on', ([event, listener]) => {
      listening.push(() => (owner as Page).off(event as 'close', listener as () => void));
    }),
  ]);
  unwatch.push(
    watch(page.clock, 'install', () => {
      isReusable = false;
    }),
  );
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    for (const end of [...unwatch, ...listening]) end();
    const own = { key, context, page };
    try {
      if (!isReusable || page.isClosed()) throw new Error('The profile can not be reused.');
      await clean(own, options);
    } catch {
      return context.close();
    }
    idle.push(own);
    if (idle.length > maxIdle) await idle.shift()?.context.close();
  };
  return { context, page, close };
}
