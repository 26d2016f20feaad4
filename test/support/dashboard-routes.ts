import type { PageRoute } from '../../src/dashboard/page-route.ts';
import type { titles } from '../../src/dashboard/words/en/titles.ts';

type Name = Exclude<keyof typeof titles, 'groups'>;

// The list names modules with JSX, which tests are not compiled with.
const file = 'routes';
const { routes } = (await import(`../../src/dashboard/${file}.ts`)) as {
  readonly routes: Readonly<Record<Name, PageRoute>>;
};

/** The pages of the dashboard, in the order of their list. */
export const pageRoutes = Object.entries(routes) as readonly [Name, PageRoute][];
