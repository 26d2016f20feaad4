import { useState } from 'react';
import { useData } from '../../../../data/hooks.ts';
import { Button } from '../../../../kit/button.tsx';
import { FactList } from '../../../../kit/fact-list.tsx';
import { Card } from '../../../../kit/layout.tsx';
import { lazyPart } from '../../../../kit/lazy-part.tsx';
import { Section } from '../../../../kit/page.tsx';
import { Count, Rate } from '../../../../kit/values.tsx';
import type { PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import { useWords } from '../../../../words/words.ts';
import { CatalogPlanPoolDocument, type PoolTermsFragment } from '../pool.graphql';
import { includedOf } from './pool-draft.ts';

const PoolSheet = lazyPart(() => import('./pool-sheet.tsx').then((module) => module.PoolSheet));

type AmountProps = { readonly pool: PoolTermsFragment; readonly amount: number };

const Amount = ({ pool, amount }: AmountProps) =>
  pool.asset === 'credits' ? <Count value={amount} /> : <Rate rate={amount} currency="usd" />;

type PoolPartProps = {
  readonly plan: PlanDraft;
  /** Called after the pool and the amounts of the prices were saved. */
  readonly onDone: () => void;
};

/** Terms of the credits or the balance that a plan includes. They are saved in their own sheet, without a review. */
export function PoolPart({ plan, onDone }: PoolPartProps) {
  const { pool: words } = useWords('plan');
  const { verbs } = useWords('catalog');
  const [isOpen, setOpen] = useState(false);
  const { data, refetch } = useData(CatalogPlanPoolDocument, { id: plan.id });
  const pool = data?.plan?.pools[0];
  if (pool === undefined) return null;
  const texts = pool.asset === 'credits' ? words.credits : words.balance;
  const included = includedOf(pool, plan);
  const { rollover } = pool;
  return (
    <Section
      title={texts.title}
      description={words.text}
      actions={<Button onPress={() => setOpen(true)}>{verbs.edit}</Button>}
    >
      <Card>
        <FactList
          items={[
            plan.prices.length > 0 && {
              label: texts.included,
              value: included === null ? words.byPrice : <Amount pool={pool} amount={included} />,
            },
            { label: words.onEmpty, value: words.effects[pool.onEmpty] },
            {
              label: words.rollover,
              value:
                rollover === null
                  ? words.noRollover
                  : rollover.windows === null
                    ? words.forever
                    : words.forWindows({ count: rollover.windows }),
            },
            rollover !== null &&
              rollover.cap !== null && {
                label: words.cap,
                value: <Amount pool={pool} amount={rollover.cap} />,
              },
          ]}
        />
      </Card>
      {isOpen && (
        <PoolSheet
          plan={plan}
          pool={pool}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            refetch();
            onDone();
          }}
        />
      )}
    </Section>
  );
}
