import type { ResultOf } from '../../ui/documents.ts';
import { countText } from '../../ui/format/numbers.ts';
import { useData } from '../data/hooks.ts';
import { Callout } from '../kit/callout.tsx';
import { useKit } from '../kit/provider.tsx';
import { useTerms } from '../parts/terms.ts';
import { unitAmountText, useUnits } from '../parts/units.ts';
import { ChoiceLotsDocument } from './choices.graphql';
import { isIn, type Subject, subscriptionId } from './command.ts';
import { useCommandWords } from './fields.tsx';
import { Select } from './lazy-fields.ts';

type Pool = ResultOf<typeof ChoiceLotsDocument>['subscription']['pools'][number];

/** Lot of a subscription, with its asset. */
export type ChosenLot = Pool['lots'][number] & Pick<Pool, 'asset'>;

/** True if the subscription has a pool, and lots can be granted to it. */
export const hasLots = (subject: Subject): boolean =>
  isIn(subject, 'trialing', 'active', 'past_due') &&
  (Boolean(subject.subscription?.credits ?? subject.subscription?.balance) ||
    subject.subscription?.consumptionModel === 'balance' ||
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

/** Returns a function that formats the remaining amount of a lot. `assets` contains the assets of the lots. */
export function useLotText(
  assets: readonly string[],
): (lot: Pick<ChosenLot, 'asset' | 'remaining'>) => string {
  const { locale } = useKit();
  const { lots: words } = useCommandWords();
  const units = useUnits(assets);
  return ({ asset, remaining }) =>
    asset === 'credits'
      ? words.credits({ count: remaining, amount: countText(remaining, locale) })
      : unitAmountText(asset, remaining, units, locale);
}

type LotFieldProps = {
  readonly subject: Subject;
  readonly value: string;
  readonly isOffered: (lot: ChosenLot) => boolean;
  readonly onChange: (id: string) => void;
};

/** Returns the pools of a subscription with their lots. `null` if they aren't loaded yet. */
export const usePools = (subject: Subject): readonly Pool[] | null =>
  useData(ChoiceLotsDocument, { id: subscriptionId(subject) }).data?.subscription.pools ?? null;

/** Returns the lots of a subscription. `null` if the lots aren't loaded yet. */
export function useLots(subject: Subject): readonly ChosenLot[] | null {
  const pools = usePools(subject);
  return pools === null ? null : pools.flatMap(({ asset, lots }) => lots.map((lot) => ({ ...lot, asset })));
}

/** Returns the assets of lots. */
export const assetsOf = (lots: readonly ChosenLot[] | null): readonly string[] =>
  (lots ?? []).map(({ asset }) => asset);

/** Field that selects a lot. */
export function LotField({ subject, value, isOffered, onChange }: LotFieldProps) {
  const { lots: words } = useCommandWords();
  const terms = useTerms();
  const lots = useLots(subject);
  const textOf = useLotText(assetsOf(lots));
  const offered = lots?.filter(isOffered) ?? null;
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
