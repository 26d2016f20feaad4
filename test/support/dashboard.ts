import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { MemberRole as Role } from '../../src/domain/limits/member-roles.ts';
import { still, violationsOf } from './browser.ts';
import { eventually } from './eventually.ts';
import { type Settings, startApp, type TestApp } from './harness.ts';
import { memberOf, type Session } from './people.ts';
import { openProfile, type Profile } from './profiles.ts';

/** Starts the service and waits until its dashboard is built. Files without environment variables share one service per Vitest worker. */
export async function startDashboard(
  env: Record<string, string> = {},
  settings: Pick<Settings, 'writesEvents'> = {},
): Promise<TestApp> {
  const isShared = Object.keys(env).length === 0;
  const t = await startApp({ dashboard: true, ...settings, ...(isShared ? {} : { env }) });
  await eventually(async () => (await fetch(`${t.url}/dashboard`)).status === 200);
  return t;
}

type MemberOptions = BrowserContextOptions & {
  readonly role?: Role;
  readonly organizationId?: string;
  readonly theme?: 'light' | 'dark';
  readonly language?: 'en' | 'es';
};

const cookies = (t: TestApp, { headers }: Session, { theme, language }: MemberOptions) =>
  [
    ...(headers['cookie'] ?? '').split('; ').map((each) => each.split(/=(.*)/s)),
    ['quittance-theme', theme ?? 'light'],
    ['quittance-language', language ?? 'en'],
  ].map(([name = '', value = '']) => ({ name, value, url: t.url }));

/** Navigates in the browser as a link does, and waits until the new page shows its heading. */
const follow = (path: string): Promise<void> => {
  const base = location.pathname.match(/^.*\/dashboard\/[a-z]+/)?.[0] ?? '';
  const address = `${base}${path === '/' ? '' : path}`;
  const heading = document.querySelector('main h1');
  const title = heading?.textContent;
  const isHere = location.pathname === address;
  history.pushState({}, '', address);
  const until = performance.now() + 20_000;
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const isShown = heading?.isConnected !== true || heading.textContent !== title;
      if (isHere || isShown) resolve();
      else if (performance.now() > until) reject(new Error(`${address} still has the heading "${title}".`));
      else setTimeout(look, 5);
    };
    look();
  });
};

/** Logs violations of the content security policy as errors. */
const logViolations = (): void =>
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('policy', violatedDirective, blockedURI),
  );

/** Signed-in member with a separate browser profile. */
export class DashboardMember {
  readonly t: TestApp;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors and warnings from the console, scripts, and the content security policy. */
  readonly browserErrors: string[] = [];
  readonly foreignRequests: string[] = [];

  readonly close: () => Promise<void>;

  private constructor(t: TestApp, { context, page, close }: Profile) {
    this.t = t;
    this.context = context;
    this.page = page;
    this.close = close;
    page.on('pageerror', (error) => this.browserErrors.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.browserErrors.push(message.text());
    });
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^https?:$/.test(protocol) && origin !== t.url) this.foreignRequests.push(request.url());
    });
  }

  /** Signs in a new member without opening a page of the dashboard. The default role is admin. */
  static async signIn(t: TestApp, browser: Browser, options: MemberOptions = {}): Promise<DashboardMember> {
    const { role = 'admin', organizationId = t.organizationId, theme, language, ...context } = options;
    const session = await memberOf(t, organizationId, role);
    const profile = await openProfile(
      browser,
      { viewport: { width: 1_280, height: 900 }, ...still, ...context },
      logViolations,
    );
    await profile.context.addCookies(cookies(t, session, options));
    return new DashboardMember(t, profile);
  }

  /** Opens a page by path, such as `/customers`, and waits for its heading and data. */
  async open(path = '/', environment: 'sandbox' | 'live' = 'sandbox'): Promise<void> {
    await this.page.goto(`${this.t.url}/dashboard/${environment}${path === '/' ? '' : path}`);
    await this.settled();
  }

  /**
   * Navigates to a page as a link does, without the cost of a reload. The dashboard keeps its cache, so don't use this method after a test
   * has changed the page's data through the API.
   */
  async follow(path: string): Promise<void> {
    await this.page.evaluate(follow, path);
    await this.settled();
  }

  async settled(): Promise<void> {
    await this.page.locator('main h1').first().waitFor();
    await this.page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null);
  }

  heading = (): Promise<string | null> => this.page.locator('main h1').first().textContent();

  /** Returns the current page's accessibility violations. */
  async accessibilityViolations(): Promise<string[]> {
    const before = this.browserErrors.length;
    const found = await violationsOf(this.page);
    // axe-core injects styles that the content security policy blocks. Ignores the resulting errors.
    this.browserErrors.length = before;
    return found;
  }
}
