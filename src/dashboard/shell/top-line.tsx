import CircleHelpIcon from 'lucide-react/icons/circle-question-mark';
import PlusIcon from 'lucide-react/icons/plus';
import { addressOf, routeOf } from '../address.ts';
import { base, environment } from '../data/place.ts';
import { useStore } from '../data/store.ts';
import { useViewer } from '../data/viewer.ts';
import type { MenuGroup } from '../kit/menu.tsx';
import { useWords } from '../words/words.ts';
import { ClockPill } from './clock-pill.tsx';
import { LazyMenu } from './lazy-menu.tsx';
import { isShortcutListOpen, turnDrawer } from './open-panels.ts';
import { isOpenTo } from './sections.ts';
import styles from './top-line.module.css';

/** Pages with a form for a new object. `isPage` marks pages that are the form. */
const creations = [
  { id: 'customer', page: 'customers' },
  { id: 'subscription', page: 'subscriptions' },
  { id: 'paymentLink', page: 'paymentLinks' },
  { id: 'plan', page: 'planNew', isPage: true },
] as const;

function CreateMenu() {
  const words = useWords('shell').create;
  const place = useStore(environment);
  const { membership } = useViewer();
  const items = creations
    .filter(({ page }) => isOpenTo(routeOf(page), membership.role, place))
    .map(({ id, page, ...more }) => ({
      id,
      label: words[id],
      href: 'isPage' in more ? addressOf(page) : addressOf(page, null, { open: 'new' }),
    }));
  return (
    <LazyMenu className={styles.button} label={words.label} placement="bottom end" groups={[{ items }]}>
      <PlusIcon aria-hidden="true" />
      <span className={styles.wide}>{words.label}</span>
    </LazyMenu>
  );
}

const openDocument = (path: string) => () => void window.open(`${base}${path}`, '_blank', 'noopener');

function HelpMenu() {
  const words = useWords('shell');
  const groups: MenuGroup[] = [
    {
      title: words.help.documentation,
      items: [
        { id: 'rest', label: words.help.rest, onAction: openDocument('/docs') },
        { id: 'graphql', label: words.help.graphql, onAction: openDocument('/docs/graphql') },
      ],
    },
    {
      title: words.help.tools,
      items: [
        {
          id: 'shortcuts',
          label: words.shortcuts,
          keys: '?',
          onAction: () => isShortcutListOpen.set(true),
        },
        { id: 'drawer', label: words.drawer, keys: '`', onAction: turnDrawer },
      ],
    },
  ];
  return (
    <LazyMenu
      className={styles.round}
      label={words.help.label}
      isSmall
      placement="bottom end"
      groups={groups}
    >
      <CircleHelpIcon aria-hidden="true" />
    </LazyMenu>
  );
}

/**
 * Line above every page: breadcrumbs, a menu of new objects, the test clock, and help. Pages render their breadcrumbs into the element that `crumbs`
 * receives.
 */
export const TopLine = ({ crumbs }: { readonly crumbs: (element: HTMLElement | null) => void }) => (
  <header className={styles.line}>
    <div ref={crumbs} className={styles.crumbs} />
    <CreateMenu />
    <ClockPill />
    <HelpMenu />
  </header>
);
