import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Json } from '../../kit/json.tsx';
import { Popover } from '../../kit/popover.tsx';
import { Loading } from '../../kit/states.tsx';
import type { drawer } from '../../words/en/drawer.ts';
import { useWords } from '../../words/words.ts';
import { DataError } from '../data-error.tsx';
import { DrawerEventDataDocument } from './about.graphql';

type EventProps = { readonly id: string };

/** A button that opens the data of an event. It is read when it is opened: the stream of events leaves it out. */
export function EventData({ id }: EventProps) {
  const { payload } = useWords<typeof drawer>('drawer');
  return (
    <Popover
      label={payload}
      trigger={
        <Button size="sm" kind="quiet">
          {payload}
        </Button>
      }
    >
      <Data id={id} />
    </Popover>
  );
}

function Data({ id }: EventProps) {
  const { payload } = useWords<typeof drawer>('drawer');
  const { data, error, refetch } = useData(DrawerEventDataDocument, { id });
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading lines={4} />;
  const { node } = data;
  // An event that is no longer kept has none.
  return (
    <Json label={payload} value={node !== null && 'data' in node ? node.data : null} hasSearch={false} />
  );
}
