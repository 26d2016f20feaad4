import { Outlet } from '@tanstack/react-router';
import { routeOf } from '../address.ts';
import { environment } from '../data/place.ts';
import { useStore } from '../data/store.ts';
import { useViewer } from '../data/viewer.ts';
import { Page } from '../kit/page.tsx';
import { EmptyState } from '../kit/states.tsx';
import { useWords } from '../words/words.ts';
import { usePageName } from './page-name.ts';
import { isOpenTo } from './sections.ts';

/** Renders the current page. If the user's role or the environment doesn't allow the page, renders a message. */
export function OpenPage() {
  const name = usePageName();
  const where = useStore(environment);
  const { membership } = useViewer();
  const words = useWords('titles');
  const { errors, notFound } = useWords('shell');
  if (name === null || isOpenTo(routeOf(name), membership.role, where)) return <Outlet />;
  const isElsewhere = isOpenTo(routeOf(name), membership.role, where === 'live' ? 'sandbox' : 'live');
  return (
    <Page title={words[name]}>
      <EmptyState title={isElsewhere ? notFound.text : errors.forbidden} />
    </Page>
  );
}
