import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { base, type Environment, environment } from './data/place.ts';
import { lazyPart } from './kit/lazy-part.tsx';
import type { PageRoute } from './page-route.ts';
import { push } from './router-address.ts';
import { routes } from './routes.ts';
import { Frame } from './shell/frame.tsx';
import { PageFailed } from './shell/page-failed.tsx';
import { wordsLoaded } from './words/words.ts';

/** Stands at addresses without a page; most visits see none. */
const NotFound = lazyPart(() => import('./shell/not-found.tsx').then((module) => module.default));

const environments: readonly string[] = ['sandbox', 'live'];

const isEnvironment = (text: string): text is Environment => environments.includes(text);

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: () => <NotFound /> });

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/sandbox' as never, replace: true });
  },
});

const environmentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$environment',
  component: Frame,
  notFoundComponent: () => <NotFound />,
  beforeLoad: ({ params, preload }) => {
    if (!isEnvironment(params.environment)) throw redirect({ to: '/sandbox' as never, replace: true });
    if (!preload) environment.set(params.environment);
  },
});

/** Loads a page with its words. */
async function loadPage({ load }: PageRoute): Promise<Record<string, never>> {
  const page = (await load()) as Record<string, never>;
  await wordsLoaded();
  return page;
}

const pageRoutes = (Object.entries(routes) as [string, PageRoute][]).map(([name, route]) =>
  createRoute({
    getParentRoute: () => environmentRoute,
    path: route.path,
    component: lazyRouteComponent(() => loadPage(route)),
    staticData: { name },
  } as never),
);

/** Filters and places in addresses are flat lists of texts. */
const readSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

function writeSearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

export const router = createRouter({
  // The list of pages is not known to the types of the router; `addressOf` has types of its own.
  routeTree: rootRoute.addChildren([
    startRoute,
    environmentRoute.addChildren(pageRoutes as never),
  ] as never) as unknown as AnyRoute,
  basepath: `${base}/dashboard`,
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  scrollRestoration: true,
});

push.set((href) => router.history.push(href));
