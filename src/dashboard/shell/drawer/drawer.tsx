import XIcon from 'lucide-react/icons/x';
import { useStore } from '../../data/store.ts';
import { IconButton } from '../../kit/button.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { useWords } from '../../words/words.ts';
import { drawerTab } from '../open-panels.ts';
import styles from './drawer.module.css';
import { Events } from './events.tsx';
import { ObjectJson } from './object-json.tsx';
import { transferFilter, usePageObject } from './page-object.ts';
import { Queries } from './queries.tsx';
import { RequestLog } from './request-log.tsx';
import { Transfers } from './transfers.tsx';

const close = (): void => drawerTab.set(null);

/** Developer panel below the page. Shows the requests of the page, the page's object, and the object's events and transfers. */
export default function Drawer() {
  const words = useWords('drawer');
  const { close: label } = useWords('kit');
  const tab = useStore(drawerTab);
  const object = usePageObject();
  const filter = object === null ? null : transferFilter(object);
  const key = object?.id ?? '';
  const items = [
    { id: 'query', label: words.query, content: <Queries /> },
    ...(object === null
      ? []
      : [{ id: 'object', label: words.object, content: <ObjectJson key={key} object={object} /> }]),
    { id: 'events', label: words.events, content: <Events key={key} object={object} /> },
    { id: 'requests', label: words.requests, content: <RequestLog /> },
    ...(filter === null
      ? []
      : [{ id: 'ledger', label: words.ledger, content: <Transfers key={key} filter={filter} /> }]),
  ];
  return (
    <aside className={styles.drawer} aria-label={words.title}>
      <div className={styles.close}>
        <IconButton size="sm" label={label} icon={<XIcon />} onPress={close} />
      </div>
      <Tabs
        label={words.title}
        selected={items.find(({ id }) => id === tab)?.id ?? 'query'}
        onSelect={(id) => drawerTab.set(id)}
        items={items}
      />
    </aside>
  );
}
