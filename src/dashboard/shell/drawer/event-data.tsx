import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Json } from '../../kit/json.tsx';
import { Popover } from '../../kit/popover.tsx';
import { Loading } from '../../kit/states.tsx';
import { useWords } from '../../words/words.ts';
import { DataError } from '../data-error.tsx';
import { DrawerEventDataDocument } from './about.graphql';

type EventProps = { readonly id: string };

/** Button that loads and shows the payload of an event. The event stream doesn't contain payloads. */
export function EventData({ id }: EventProps) {
  const { payload } = useWords('drawer');
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
  const { payload } = useWords('drawer');
  const { data, error, refetch } = useData(DrawerEventDataDocument, { id });
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading lines={4} />;
  const { node } = data;
  // The payload is `null` if it is no longer stored.
  return (
    <Json label={payload} value={node !== null && 'data' in node ? node.data : null} hasSearch={false} />
  );
}
