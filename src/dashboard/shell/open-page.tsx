import { Outlet } from '@tanstack/react-router';
import { routeOf } from '../address.ts';
import { environment } from '../data/place.ts';
import { useStore } from '../data/store.ts';
import { useViewer } from '../data/viewer.ts';
import { Page } from '../kit/page.tsx';
import { EmptyState } from '../kit/states.tsx';
import type { shell } from '../words/en/shell.ts';
import type { titles } from '../words/en/titles.ts';
import { useWords } from '../words/words.ts';
import { usePageName } from './page-name.ts';
import { isOpenTo } from './sections.ts';

/** The page on screen, unless it is not for the role of the person or not in this environment, however its address was reached. */
export function OpenPage() {
  const name = usePageName();
  const where = useStore(environment);
  const { membership } = useViewer();
  const words = useWords<typeof titles>('titles');
  const { errors, notFound } = useWords<typeof shell>('shell');
  if (name === null || isOpenTo(routeOf(name), membership.role, where)) return <Outlet />;
  const isElsewhere = isOpenTo(routeOf(name), membership.role, where === 'live' ? 'sandbox' : 'live');
  return (
    <Page title={words[name]}>
      <EmptyState title={isElsewhere ? notFound.text : errors.forbidden} />
    </Page>
  );
}
