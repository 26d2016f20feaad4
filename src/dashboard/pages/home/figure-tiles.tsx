import { useMemo } from 'react';
import { moneyText } from '../../../ui/format/money.ts';
import { boundedCountText, countText } from '../../../ui/format/numbers.ts';
import { useHour } from '../../data/clock.ts';
import { useData } from '../../data/hooks.ts';
import { FigureTile } from '../../kit/charts/figure-tile.tsx';
import { Card, Columns } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Loading } from '../../kit/states.tsx';
import { paymentTotals } from '../../parts/billing/totals.ts';
import { DataError } from '../../shell/data-error.tsx';
import type { home } from '../../words/en/home.ts';
import { useWords } from '../../words/words.ts';
import { changeOf, spansOf } from './figures.ts';
import { HomeFiguresDocument } from './page.graphql';

/** What the last 30 days brought, against the 30 days before. */
export function FigureTiles() {
  const { locale } = useKit();
  const hour = useHour();
  const words = useWords<typeof home>('home');
  const spans = useMemo(() => spansOf(new Date(hour)), [hour]);
  const { data, error, refetch } = useData(HomeFiguresDocument, spans);
  if (error !== null && data === null)
    return (
      <Card title={words.figures}>
        <DataError error={error} onRetry={refetch} />
      </Card>
    );
  if (data === null)
    return (
      <Card title={words.figures}>
        <Loading height={24} />
      </Card>
    );
  const before = paymentTotals(data.collectedBefore.totals ?? []);
  const [main] = paymentTotals(data.collected.totals ?? []);
  const currency = main?.currency ?? before[0]?.currency ?? 'usd';
  const mainBefore = before.find((one) => one.currency === currency);
  const money = (minor: number) => moneyText(minor, currency, locale);
  const count = (value: number) => countText(value, locale);
  const customers = data.newCustomers.totalCount;
  const customersBefore = data.newCustomersBefore.totalCount;
  return (
    <Card title={words.figures}>
      <Columns count={4}>
        <FigureTile
          label={words.collected}
          value={money(main?.collected ?? 0)}
          change={changeOf(main?.collected ?? 0, mainBefore?.collected ?? 0)}
          note={words.refunded({ amount: money(main?.refunded ?? 0) })}
        />
        <FigureTile
          label={words.paying}
          value={boundedCountText(data.paying.totalCount, locale)}
          note={words.trialing({ count: boundedCountText(data.trialing.totalCount, locale) })}
        />
        <FigureTile
          label={words.newCustomers}
          value={boundedCountText(customers, locale)}
          change={changeOf(customers.value, customersBefore.value)}
          note={words.before({ value: boundedCountText(customersBefore, locale) })}
        />
        <FigureTile
          label={words.declined}
          isMoreWorse
          value={count(main?.declined ?? 0)}
          change={changeOf(main?.declined ?? 0, mainBefore?.declined ?? 0)}
          note={words.before({ value: count(mainBefore?.declined ?? 0) })}
        />
      </Columns>
    </Card>
  );
}
