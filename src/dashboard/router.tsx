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
import { pageModules } from './page-modules.ts';
import { push } from './router-address.ts';
import { routes } from './routes.ts';
import { Frame } from './shell/frame.tsx';
import { guardUnsavedWork } from './shell/guard-unsaved-work.ts';
import { PageFailed } from './shell/page-failed.tsx';

/** Page for unknown URLs. Loaded on demand, because most visits never show it. */
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

const names = Object.keys(routes) as (keyof typeof routes)[];

const pageRoutes = names.map((name) =>
  createRoute({
    getParentRoute: () => environmentRoute,
    path: routes[name].path,
    component: lazyRouteComponent(pageModules[name] as () => Promise<Record<string, never>>),
    staticData: { name },
  } as never),
);

/** Parses all query parameters as strings. The router's default would parse values such as `1` as JSON. */
const readSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

function writeSearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

export const router = createRouter({
  // The router's types don't contain the pages, so `addressOf` has its own types.
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
guardUnsavedWork(router.history);
