import type { ResultOf } from '../../ui/documents.ts';
import { rateText } from '../../ui/format/money.ts';
import { countText } from '../../ui/format/numbers.ts';
import { useData } from '../data/hooks.ts';
import { Callout } from '../kit/callout.tsx';
import { useKit } from '../kit/provider.tsx';
import { useTerms } from '../parts/terms.ts';
import { ChoiceLotsDocument } from './choices.graphql';
import { isIn, type Subject, subscriptionId } from './command.ts';
import { useCommandWords } from './fields.tsx';
import { Select } from './lazy-fields.ts';

type Pool = ResultOf<typeof ChoiceLotsDocument>['subscription']['pools'][number];

/** Lot of a subscription, with its asset. */
export type ChosenLot = Pool['lots'][number] & Pick<Pool, 'asset'>;

/** True if the subscription has credits or a balance, and lots can be granted to it. */
export const hasLots = (subject: Subject): boolean =>
  isIn(subject, 'trialing', 'active', 'past_due') &&
  (subject.subscription?.consumptionModel === 'balance' ||
    subject.subscription?.consumptionModel === 'credits');

/** True if the remaining amount of a lot can be revoked. */
export const canRevoke = ({ source, remaining }: Pick<ChosenLot, 'source' | 'remaining'>): boolean =>
  (source === 'promotion' || source === 'adjustment') && remaining > 0;

/** True if the end of a lot can be changed. */
export const canExpire = ({
  source,
  endsWithWindow,
}: Pick<ChosenLot, 'source' | 'endsWithWindow'>): boolean =>
  source !== 'overdraft' && source !== 'plan' && !endsWithWindow;

/** Returns a function that formats the remaining amount of a lot. */
export function useLotText(): (lot: Pick<ChosenLot, 'asset' | 'remaining'>) => string {
  const { locale } = useKit();
  const { lots: words } = useCommandWords();
  return ({ asset, remaining }) =>
    asset === 'credits'
      ? words.credits({ count: remaining, amount: countText(remaining, locale) })
      : rateText(remaining, asset, locale);
}

type LotFieldProps = {
  readonly subject: Subject;
  readonly value: string;
  readonly isOffered: (lot: ChosenLot) => boolean;
  readonly onChange: (id: string) => void;
};

/** Returns the lots of a subscription. `null` if the lots aren't loaded yet. */
export function useLots(subject: Subject): readonly ChosenLot[] | null {
  const { data } = useData(ChoiceLotsDocument, { id: subscriptionId(subject) });
  return data === null
    ? null
    : data.subscription.pools.flatMap(({ asset, lots }) => lots.map((lot) => ({ ...lot, asset })));
}

/** Field that selects a lot. */
export function LotField({ subject, value, isOffered, onChange }: LotFieldProps) {
  const { lots: words } = useCommandWords();
  const terms = useTerms();
  const textOf = useLotText();
  const offered = useLots(subject)?.filter(isOffered) ?? null;
  if (offered?.length === 0) return <Callout tone="neutral">{words.none}</Callout>;
  return (
    <Select
      name="id"
      label={words.lot}
      options={(offered ?? []).map((lot) => ({
        value: lot.id,
        label: [textOf(lot), terms.lotSource[lot.source], lot.description].filter(Boolean).join(' · '),
      }))}
      value={value === '' ? null : value}
      onChange={onChange}
    />
  );
}
