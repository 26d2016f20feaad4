import { countText } from '../../ui/format/numbers.ts';
import { usePage } from '../data/current-page.ts';
import { dayText } from '../format.ts';
import { Card, Item, List } from './parts.tsx';
import { useOwn } from './portal-words.ts';
import { balanceText, type Unit, unitText } from './texts.ts';

type Commitment = {
  readonly description: string | null;
  readonly asset: string;
  readonly unit: Unit | null;
  readonly grant: number;
  readonly remaining: number;
  readonly autoRenew: boolean;
  readonly expiresAt: string | null;
};

/** Lists the customer's prepaid commitments with their remaining amounts and ends. */
export function Commitments({ commitments }: { readonly commitments: readonly Commitment[] }) {
  const page = usePage();
  const own = useOwn();
  const { credits: words, sections } = own;
  if (commitments.length === 0) return null;
  const leftText = ({ asset, unit, grant, remaining }: Commitment): string => {
    if (asset === 'credits')
      return words.creditsOf({ left: countText(remaining, page.language), granted: grant });
    const textOf = (amount: number): string =>
      unit === null ? balanceText({ page, own }, asset, amount) : unitText(page.language, unit, amount);
    return words.leftOf({ left: textOf(remaining), granted: textOf(grant) });
  };
  return (
    <Card id="commitments" title={sections.commitments}>
      <List id="commitment-list">
        {commitments.map((commitment, index) => {
          const { description, autoRenew, expiresAt } = commitment;
          const day = expiresAt === null ? '' : dayText(page, expiresAt);
          const end = autoRenew ? words.renewsOn({ day }) : words.endsOn({ day });
          return (
            <Item
              // biome-ignore lint/suspicious/noArrayIndexKey: commitments have no names.
              key={index}
              name={description ?? words.sources.commitment}
              text={`${leftText(commitment)} · ${end}`}
              action={null}
            />
          );
        })}
      </List>
    </Card>
  );
}
