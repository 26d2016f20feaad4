import PlusIcon from 'lucide-react/icons/plus';
import { useState } from 'react';
import { amountText } from '../../../../../ui/format/money.ts';
import { Button } from '../../../../kit/button.tsx';
import { FactList } from '../../../../kit/fact-list.tsx';
import { Card } from '../../../../kit/layout.tsx';
import { lazyPart } from '../../../../kit/lazy-part.tsx';
import { Section } from '../../../../kit/page.tsx';
import { useKit } from '../../../../kit/provider.tsx';
import type { PoolChoice } from '../../../../parts/catalog/feature-terms.tsx';
import { moneyAsset, poolOf } from '../../../../parts/catalog/model/feature-fields.ts';
import type { PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import { unitAmountText } from '../../../../parts/units.ts';
import { useWords } from '../../../../words/words.ts';
import type { PoolTermsFragment } from '../edit.graphql';
import type { Surroundings } from './catalog-objects.ts';
import { includedOf, mostPools } from './pool-draft.ts';

const PoolSheet = lazyPart(() => import('./pool-sheet.tsx').then((module) => module.PoolSheet));

/** Returns a function that names the asset of a pool. */
export function usePoolName(units: Surroundings['units']): (asset: string) => string {
  const { pool: words } = useWords('plan');
  return (asset) => {
    if (asset === moneyAsset) return words.balance.title;
    if (asset === 'credits') return words.credits.title;
    return units.find(({ code }) => code === asset)?.name ?? asset;
  };
}

type PoolProps = {
  readonly pool: PoolTermsFragment;
  readonly plan: PlanDraft;
  readonly units: Surroundings['units'];
};

/** Terms of a pool. */
function Pool({ pool, plan, units }: PoolProps) {
  const { pool: words } = useWords('plan');
  const { locale } = useKit();
  const { asset, rollover, overdraftRate } = pool;
  const texts = asset === moneyAsset ? words.balance : asset === 'credits' ? words.credits : words.unit;
  const included = includedOf(pool, plan);
  const textOf = (amount: number) => unitAmountText(asset, amount, units, locale);
  return (
    <Card>
      <FactList
        items={[
          plan.prices.length > 0 && {
            label: texts.included,
            value: included === null ? words.byPrice : textOf(included),
          },
          { label: words.onEmpty, value: words.effects[pool.onEmpty] },
          overdraftRate !== null && {
            label: words.overdraftRate,
            value: amountText(overdraftRate, 'usd', locale),
          },
          {
            label: words.rollover,
            value:
              rollover === null
                ? words.noRollover
                : rollover.windows === null
                  ? words.forever
                  : words.forWindows({ count: rollover.windows }),
          },
          rollover !== null && rollover.cap !== null && { label: words.cap, value: textOf(rollover.cap) },
        ]}
      />
    </Card>
  );
}

type PoolPartProps = {
  readonly plan: PlanDraft;
  readonly pools: readonly PoolTermsFragment[];
  readonly units: Surroundings['units'];
  /** Called after a pool and the amounts of the prices were saved. */
  readonly onDone: () => void;
};

/** Pools that a plan includes. They are saved in their own sheet, without a review. */
export function PoolPart({ plan, pools, units, onDone }: PoolPartProps) {
  const { pool: words } = useWords('plan');
  const { verbs } = useWords('catalog');
  const nameOf = usePoolName(units);
  const [opened, setOpened] = useState<string | null>(null);
  const own = poolOf({ type: 'usage', settle: null }, plan);
  const choices: PoolChoice[] = [
    ...units.filter(({ archivedAt }) => archivedAt === null).map(({ code }) => code),
    moneyAsset,
  ]
    .filter((asset) => !pools.some((pool) => pool.asset === asset))
    .map((asset) => ({ asset, name: nameOf(asset) }));
  const pool = pools.find(({ asset }) => asset === opened) ?? null;
  const canAdd = pools.length < mostPools && choices.length > 0;
  return (
    <>
      {pools.map((one) => (
        <Section
          key={one.asset}
          title={nameOf(one.asset)}
          description={words.text}
          actions={
            <Button
              aria-label={words.editOf({ name: nameOf(one.asset) })}
              onPress={() => setOpened(one.asset)}
            >
              {verbs.edit}
            </Button>
          }
        >
          <Pool pool={one} plan={plan} units={units} />
        </Section>
      ))}
      {canAdd && (
        <div>
          <Button icon={<PlusIcon />} onPress={() => setOpened('')}>
            {words.add}
          </Button>
        </div>
      )}
      {opened !== null && (pool !== null || opened === '') && (
        <PoolSheet
          plan={plan}
          pool={pool}
          units={units}
          choices={choices}
          title={pool === null ? words.add : nameOf(pool.asset)}
          isRemovable={pool !== null && pool.asset !== own}
          onClose={() => setOpened(null)}
          onDone={() => {
            setOpened(null);
            onDone();
          }}
        />
      )}
    </>
  );
}
