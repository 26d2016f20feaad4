import RocketIcon from 'lucide-react/icons/rocket';
import { useState } from 'react';
import { Avatar } from '../../../src/dashboard/kit/avatar.tsx';
import { Breadcrumbs } from '../../../src/dashboard/kit/breadcrumbs.tsx';
import { Button } from '../../../src/dashboard/kit/button.tsx';
import { Code } from '../../../src/dashboard/kit/code.tsx';
import {
  DateField,
  DateRangeField,
  DateTimeField,
  type DayRange,
} from '../../../src/dashboard/kit/date-field.tsx';
import { Diff } from '../../../src/dashboard/kit/diff.tsx';
import { Json } from '../../../src/dashboard/kit/json.tsx';
import { Card, Columns, Divider, Grow, Row, Stack } from '../../../src/dashboard/kit/layout.tsx';
import { LinkTabs } from '../../../src/dashboard/kit/link-tabs.tsx';
import { Page } from '../../../src/dashboard/kit/page.tsx';
import { PreviewPanel } from '../../../src/dashboard/kit/preview-panel.tsx';
import { Meter, Progress } from '../../../src/dashboard/kit/progress.tsx';
import { Checklist, Stepper } from '../../../src/dashboard/kit/steps.tsx';
import { Timeline } from '../../../src/dashboard/kit/timeline.tsx';

function Dates() {
  const [day, setDay] = useState<string | null>('2026-11-23');
  const [instant, setInstant] = useState<string | null>('2026-11-23T09:30:00.000Z');
  const [range, setRange] = useState<DayRange | null>({ from: '2026-11-01', until: '2026-11-30' });
  return (
    <Card title="Dates">
      <Stack>
        <DateField label="Start" value={day} onChange={setDay} />
        <DateTimeField label="Moment" value={instant} onChange={setInstant} />
        <DateRangeField label="Period" value={range} onChange={setRange} />
      </Stack>
    </Card>
  );
}

const Preview = () => (
  <PreviewPanel
    preview={{
      headline: 'Ada is charged $61.20 now',
      documents: [
        {
          id: 'invoice',
          title: 'Invoice',
          currency: 'usd',
          lines: [
            {
              id: 'a',
              label: 'Scale plan',
              detail: 'Nov 23 – 30, 2026',
              reason: '8 of 30 days of $189.00',
              minor: 5_040,
            },
            { id: 'b', label: 'Unused time of Start plan', minor: -500 },
          ],
          sums: [{ id: 'tax', label: 'Tax 19%', minor: 1_580 }],
          total: 6_120,
        },
      ],
      charges: [{ id: 'card', label: 'Visa ending in 4242', minor: 6_120, currency: 'usd' }],
      changes: [{ id: 'plan', label: 'Plan', before: 'Start', after: 'Scale' }],
      dates: [{ id: 'next', label: 'Next charge', at: '2026-12-01T00:00:00Z' }],
      events: ['subscription.plan_changed', 'invoice.created'],
    }}
  />
);

/** Examples of timelines, previews, and code. */
export const Gallery = () => (
  <Page
    title="More parts"
    breadcrumbs={
      <Breadcrumbs
        items={[
          { label: 'Customers', href: '#customers' },
          { label: 'Ada Lovelace', href: '#ada' },
        ]}
      />
    }
    tabs={
      <LinkTabs
        label="Parts"
        selected="one"
        items={[
          { id: 'one', label: 'Overview', href: '#one' },
          { id: 'two', label: 'Invoices', count: '12', href: '#two' },
        ]}
      />
    }
  >
    <Columns count={3}>
      <Dates />
      <Preview />
      <Card title="Timeline">
        <Timeline
          items={[
            {
              id: '1',
              at: '2026-11-23T11:59:00Z',
              title: 'Upgraded to Scale',
              actor: 'Ada Lovelace',
              tone: 'positive',
            },
            {
              id: '2',
              at: '2026-11-22T09:00:00Z',
              title: 'Payment failed',
              detail: 'Insufficient funds',
              tone: 'negative',
            },
            { id: '3', at: '2026-10-01T09:00:00Z', title: 'Subscription started', icon: <RocketIcon /> },
          ]}
        />
      </Card>
    </Columns>
    <Columns>
      <Code
        label="Create a customer"
        samples={[
          {
            id: 'curl',
            label: 'curl',
            code: 'curl https://api.example.com/v1/customers \\\n  -H "authorization: Bearer key" \\\n  -d \'{"name":"Ada"}\'',
          },
          { id: 'node', label: 'Node', code: 'await quittance.customers.create({ name: "Ada" });' },
        ]}
      />
      <Json
        label="Customer"
        value={{
          id: 'cus_1',
          name: 'Ada',
          tags: ['a', 'b'],
          address: { country: 'GB', lines: ['1 Street'] },
          balance: 0,
          live: true,
          note: null,
        }}
      />
    </Columns>
    <Columns count={3}>
      <Card title="Progress">
        <Stack>
          <Progress label="Advancing the clock" share={0.32} value="320 of 1,000" />
          <Progress label="Waiting" />
          <Meter label="API calls" share={0.62} value="6,200 of 10,000" />
          <Meter label="Seats" share={0.9} value="9 of 10" />
          <Meter label="Storage" share={1.2} value="12 of 10 GB" />
          <Stepper
            label="Steps"
            current="two"
            steps={[
              { id: 'one', title: 'Plan' },
              { id: 'two', title: 'Price' },
              { id: 'three', title: 'Publish' },
            ]}
          />
        </Stack>
      </Card>
      <Card title="Checklist">
        <Checklist
          items={[
            { id: 'a', title: 'Create a plan', isDone: true },
            {
              id: 'b',
              title: 'Sell it',
              detail: 'Copy the code into your app',
              isDone: false,
              action: <Button size="sm">Show code</Button>,
            },
          ]}
        />
      </Card>
      <Card title="Changes">
        <Stack>
          <Diff
            items={[
              { id: 'name', label: 'Name', before: 'Start', after: 'Scale' },
              { id: 'price', label: 'Price', before: null, after: '$99.00' },
            ]}
          />
          <Divider />
          <Row>
            <Avatar name="Ada Lovelace" />
            <Avatar name="Grace Hopper" size="lg" />
            <Grow>Ada Lovelace</Grow>
          </Row>
        </Stack>
      </Card>
    </Columns>
  </Page>
);
