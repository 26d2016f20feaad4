import { usePage } from '../data/current-page.ts';
import { dayText } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Card, NumberCell, Quiet, Table } from './parts.tsx';
import { useOwn } from './portal-words.ts';
import type { PortalMovementsFragment } from './sections/credits.graphql';
import { useMore } from './use-more.ts';

type MovementsProps = {
  readonly id: string;
  readonly first: PortalMovementsFragment;
  /** Formats the amount of a change. */
  readonly textOf: (amount: number) => string;
  /** Loads the older changes after a cursor. */
  readonly more: (after: string) => Promise<PortalMovementsFragment | null>;
};

/** Lists changes to credits or to a balance, newest first. */
export function Movements({ id, first, textOf, more }: MovementsProps) {
  const page = usePage();
  const { credits: words } = useOwn();
  const { nodes, hasMore, isBusy, load } = useMore(first, more);
  const signed = (amount: number): string => (amount > 0 ? `+${textOf(amount)}` : textOf(amount));
  return (
    <Card id={id} title={words.history}>
      {nodes.length === 0 ? (
        <Quiet>{words.noHistory}</Quiet>
      ) : (
        <Table label={words.history} head={[words.when, words.why, words.change, words.left]}>
          {nodes.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: movements have no names.
            <tr key={index}>
              <th scope="row">{dayText(page, entry.createdAt)}</th>
              <td>
                {entry.type === 'consumption' && entry.featureName !== null
                  ? words.usedFor({ feature: entry.featureName })
                  : words.types[entry.type]}
              </td>
              <td>{signed(entry.amount)}</td>
              <NumberCell>{textOf(entry.resulting)}</NumberCell>
            </tr>
          ))}
        </Table>
      )}
      {hasMore ? (
        <Button kind="quiet" disabled={isBusy} onClick={load}>
          {words.earlier}
        </Button>
      ) : null}
    </Card>
  );
}
