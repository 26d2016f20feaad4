import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Role } from '../../src/context.ts';
import { still, violationsOf } from './browser.ts';
import { eventually } from './eventually.ts';
import { startApp, type TestApp } from './harness.ts';
import { memberOf, type Session } from './people.ts';

// The dashboard of a real service in a real browser, with a member who has signed in.

/** Starts the service with its dashboard, and waits until that is built. */
export async function startDashboard(env: Record<string, string> = {}): Promise<TestApp> {
  const t = await startApp({ env: { DASHBOARD: 'on', SIGN_INS_PER_MINUTE: '0', ...env } });
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

/** Follows an address as a link of the dashboard does, and waits until another page shows its heading. Runs in the browser. */
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

/** A member at the dashboard, in a profile of its own. */
export class DashboardMember {
  readonly t: TestApp;
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser complained about: errors and warnings of the console, of scripts and of the content policy. */
  readonly complaints: string[] = [];
  /** Requests that left for another origin. */
  readonly foreignRequests: string[] = [];

  private constructor(t: TestApp, context: BrowserContext, page: Page) {
    this.t = t;
    this.context = context;
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
    });
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^https?:$/.test(protocol) && origin !== t.url) this.foreignRequests.push(request.url());
    });
  }

  /** Signs a new member in, an admin unless another role is given, and opens nothing yet. */
  static async signIn(t: TestApp, browser: Browser, options: MemberOptions = {}): Promise<DashboardMember> {
    const { role = 'admin', organizationId = t.organizationId, theme, language, ...context } = options;
    const session = await memberOf(t, organizationId, role);
    const opened = await browser.newContext({
      viewport: { width: 1_280, height: 900 },
      ...still,
      ...context,
    });
    opened.setDefaultTimeout(30_000);
    await opened.addCookies(cookies(t, session, options));
    const member = new DashboardMember(t, opened, await opened.newPage());
    await member.page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error('policy', violatedDirective, blockedURI),
      );
    });
    return member;
  }

  /** Opens a page below the environment, such as `/customers`, and waits for its heading and its data. */
  async open(path = '/', environment: 'sandbox' | 'live' = 'sandbox'): Promise<void> {
    await this.page.goto(`${this.t.url}/dashboard/${environment}${path === '/' ? '' : path}`);
    await this.settled();
  }

  /**
   * Opens another page of the environment as a link does, without loading the dashboard anew, which computes three times as much. What the
   * dashboard has read stays, so it is for pages whose data only the dashboard has changed since.
   */
  async follow(path: string): Promise<void> {
    await this.page.evaluate(follow, path);
    await this.settled();
  }

  /** Waits until the page has its heading, and nothing is being loaded any more. */
  async settled(): Promise<void> {
    await this.page.locator('main h1').first().waitFor();
    await this.page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null);
  }

  /** The heading of the page. */
  heading = (): Promise<string | null> => this.page.locator('main h1').first().textContent();

  /** What axe-core finds against the page as it stands. */
  async barriers(): Promise<string[]> {
    const before = this.complaints.length;
    const found = await violationsOf(this.page);
    // It measures by styles of its own, which the content policy of the page stops.
    this.complaints.length = before;
    return found;
  }

  close = (): Promise<void> => this.context.close();
}
