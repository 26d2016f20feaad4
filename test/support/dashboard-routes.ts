import type { PageRoute } from '../../src/dashboard/page-route.ts';
import type { Messages } from '../../src/generated/messages/dashboard.ts';

type Name = Exclude<keyof Messages['titles'], 'groups'>;

// The import path is computed because the routes import JSX modules, which the test configuration doesn't compile.
const file = 'routes';
const { routes } = (await import(`../../src/dashboard/${file}.ts`)) as {
  readonly routes: Readonly<Record<Name, PageRoute>>;
};

/** Routes of the dashboard pages, in the order of the route list. */
export const pageRoutes = Object.entries(routes) as readonly [Name, PageRoute][];
