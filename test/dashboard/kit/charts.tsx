import { AreaChart } from '../../../src/dashboard/kit/charts/area-chart.tsx';
import { BarChart } from '../../../src/dashboard/kit/charts/bar-chart.tsx';
import { Cohorts } from '../../../src/dashboard/kit/charts/cohorts.tsx';
import { FigureTile } from '../../../src/dashboard/kit/charts/figure-tile.tsx';
import { Spark } from '../../../src/dashboard/kit/charts/spark.tsx';
import { TimeLine } from '../../../src/dashboard/kit/charts/time-line.tsx';
import { Waterfall } from '../../../src/dashboard/kit/charts/waterfall.tsx';
import { Card, Columns } from '../../../src/dashboard/kit/layout.tsx';
import { Page } from '../../../src/dashboard/kit/page.tsx';
import { useKit } from '../../../src/dashboard/kit/provider.tsx';
import { Money } from '../../../src/dashboard/kit/values.tsx';
import { compactMoneyText, moneyText } from '../../../src/ui/format/money.ts';
import { percentText } from '../../../src/ui/format/numbers.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map(
  (label) => ({
    id: label,
    label,
  }),
);
const growing = [4, 5, 5.5, 7, 8.5, 8, 9.5, 11, 12.5, 12, 14, 16].map((value) => value * 100_000);
const flat = [3, 3.2, 3.1, 3.3, 3.6, 3.4, 3.8, 4, 4.1, 4, 4.4, 4.6].map((value) => value * 100_000);
const lost = flat.map((value) => -value / 4);

export function Gallery() {
  const { locale } = useKit();
  const format = (value: number) => moneyText(Math.round(value), 'usd', locale);
  const formatShort = (value: number) => compactMoneyText(Math.round(value), 'usd', locale);
  const common = { points: months, format, formatShort };
  const spark = <Spark label="MRR over twelve months, $16,000 now" values={growing} width={90} />;
  return (
    <Page title="Charts">
      <Columns count={3}>
        <FigureTile
          label="MRR"
          value={<Money minor={1_600_000} currency="usd" />}
          change={0.143}
          note="$14,000 before"
        />
        <FigureTile label="Churn" value="2.1%" change={0.02} isMoreWorse />
        <FigureTile label="Customers" value="1,204" change={0} note={spark} />
      </Columns>
      <Columns>
        <Card title="MRR">
          <AreaChart {...common} label="MRR" series={[{ id: 'mrr', label: 'MRR', values: growing }]} />
        </Card>
        <Card title="Plans">
          <AreaChart
            {...common}
            label="MRR by plan"
            series={[
              { id: 'scale', label: 'Scale', values: growing },
              { id: 'start', label: 'Start', values: flat },
            ]}
          />
        </Card>
        <Card title="Movements">
          <BarChart
            {...common}
            label="MRR movements"
            series={[
              { id: 'new', label: 'New', values: growing },
              { id: 'more', label: 'Expansion', values: flat },
              { id: 'lost', label: 'Churn', values: lost },
            ]}
          />
        </Card>
        <Card title="Stacked">
          <AreaChart
            {...common}
            isStacked
            label="Usage"
            series={[
              { id: 'a', label: 'API', values: flat },
              { id: 'b', label: 'Storage', values: flat },
              { id: 'c', label: 'Seats', values: flat },
            ]}
          />
        </Card>
        <Card title="Waterfall">
          <Waterfall
            label="MRR in November"
            format={format}
            formatShort={formatShort}
            steps={[
              { id: 'start', label: 'October', value: 1_400_000, isTotal: true },
              { id: 'new', label: 'New', value: 240_000 },
              { id: 'up', label: 'Expansion', value: 90_000 },
              { id: 'down', label: 'Contraction', value: -40_000 },
              { id: 'churn', label: 'Churn', value: -90_000 },
              { id: 'end', label: 'November', value: 1_600_000, isTotal: true },
            ]}
          />
        </Card>
        <Card title="Retention">
          <Cohorts
            label="Retention"
            sizeTitle="Customers"
            format={(share) => percentText(share, locale, { decimals: 0 })}
            cohorts={months.slice(0, 7).map(({ id, label }, row) => ({
              id,
              label,
              size: String(120 + row * 13),
              shares: Array.from({ length: 7 - row }, (_, index) => 1 / (1 + index * 0.12)),
            }))}
          />
        </Card>
      </Columns>
      <Card title="Period">
        <TimeLine
          label="Current period"
          from="2026-11-01T00:00:00Z"
          until="2026-12-01T00:00:00Z"
          marks={[
            { id: 'a', at: '2026-11-08T00:00:00Z', label: 'Upgraded', tone: 'positive' },
            { id: 'b', at: '2026-11-26T00:00:00Z', label: 'Trial of add-on ends', tone: 'warning' },
          ]}
        />
      </Card>
    </Page>
  );
}
