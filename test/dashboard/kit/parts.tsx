import PlusIcon from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Status } from '../../../src/dashboard/kit/badge.tsx';
import { Button } from '../../../src/dashboard/kit/button.tsx';
import { Callout } from '../../../src/dashboard/kit/callout.tsx';
import { Checkbox, RadioGroup, Switch } from '../../../src/dashboard/kit/choice.tsx';
import { Copy } from '../../../src/dashboard/kit/copy.tsx';
import { ConfirmDialog, Dialog } from '../../../src/dashboard/kit/dialog.tsx';
import { ErrorState } from '../../../src/dashboard/kit/error-state.tsx';
import { FactList } from '../../../src/dashboard/kit/fact-list.tsx';
import { Form, FormActions, FormGrid, FormWide } from '../../../src/dashboard/kit/form.tsx';
import { Card, Columns, Row, Stack } from '../../../src/dashboard/kit/layout.tsx';
import { MoneyField, NumberField, RateField } from '../../../src/dashboard/kit/number-field.tsx';
import { Page, Section } from '../../../src/dashboard/kit/page.tsx';
import { ComboBox, Select } from '../../../src/dashboard/kit/select.tsx';
import { Sheet } from '../../../src/dashboard/kit/sheet.tsx';
import { EmptyState, Loading } from '../../../src/dashboard/kit/states.tsx';
import { Table } from '../../../src/dashboard/kit/table.tsx';
import { Tabs } from '../../../src/dashboard/kit/tabs.tsx';
import { Heading, Text } from '../../../src/dashboard/kit/text.tsx';
import { SearchField, TextArea, TextField } from '../../../src/dashboard/kit/text-field.tsx';
import { Count, Country, DateText, Money } from '../../../src/dashboard/kit/values.tsx';
import { Buttons, Labels } from './basics.tsx';

const lines = [
  { id: 1, name: 'Scale plan', quantity: 1, minor: 9_900 },
  { id: 2, name: 'Seats', quantity: 12, minor: 14_400 },
  { id: 3, name: 'API calls', quantity: 128_400, minor: 3_210 },
];

function Fields() {
  const [price, setPrice] = useState<number | null>(4_900);
  const [rate, setRate] = useState<number | null>(25);
  return (
    <Card title="Form">
      <Form onSubmit={() => undefined} errors={[{ field: 'email', message: 'Email is already in use.' }]}>
        <FormGrid>
          <TextField label="Name" name="name" defaultValue="Ada Lovelace" />
          <TextField label="Email" name="email" defaultValue="ada@example.com" help="Invoices go here." />
          <MoneyField label="Price" currency="usd" value={price} onChange={setPrice} />
          <RateField label="Overage" currency="usd" value={rate} onChange={setRate} after="per call" />
          <Select
            label="Interval"
            name="interval"
            defaultValue="monthly"
            options={[
              { value: 'weekly', label: 'Weekly' },
              { value: 'monthly', label: 'Monthly' },
              { value: 'yearly', label: 'Yearly', help: 'Two months free' },
            ]}
          />
          <ComboBox
            label="Country"
            isOptional
            placeholder="Search countries"
            options={['de', 'es', 'us'].map((value) => ({ value, label: value.toUpperCase() }))}
          />
          <NumberField label="Seats" defaultValue={12} minValue={1} />
          <TextField label="Slug" code before="https://" defaultValue="example.com" isDisabled />
          <FormWide>
            <TextArea label="Note" isOptional placeholder="For your team only" />
          </FormWide>
          <FormWide>
            <RadioGroup
              label="When"
              look="cards"
              defaultValue="now"
              options={[
                { value: 'now', label: 'Now', help: 'Charges the difference today' },
                { value: 'end', label: 'At the end of the period', help: 'On Dec 1, 2026' },
              ]}
            />
          </FormWide>
          <Checkbox defaultSelected help="Nothing is sent in the sandbox">
            Send an email
          </Checkbox>
          <Switch defaultSelected>Accept new customers</Switch>
        </FormGrid>
        <FormActions>
          <Button>Cancel</Button>
          <Button kind="primary" type="submit" keys="Mod Enter">
            Create plan
          </Button>
        </FormActions>
      </Form>
    </Card>
  );
}

function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'sheet' | null>(null);
  const close = () => setOpen(null);
  return (
    <Card title="Overlays">
      <Row>
        <Button onPress={() => setOpen('dialog')}>Open dialog</Button>
        <Button onPress={() => setOpen('confirm')}>Open confirmation</Button>
        <Button onPress={() => setOpen('sheet')}>Open sheet</Button>
      </Row>
      <Dialog
        isOpen={open === 'dialog'}
        onClose={close}
        title="Invite a member"
        actions={<Button kind="primary">Invite</Button>}
      >
        <TextField label="Email" />
      </Dialog>
      <ConfirmDialog
        isOpen={open === 'confirm'}
        onClose={close}
        title="Delete the plan Scale?"
        confirm="Delete plan"
        onConfirm={close}
        typedName="Scale"
      >
        No customer has it. Its prices and features are deleted too. This cannot be undone.
      </ConfirmDialog>
      <Sheet
        isOpen={open === 'sheet'}
        onClose={close}
        title="Ada Lovelace"
        status={<Status tone="positive">Active</Status>}
        subtitle={<Copy value="cus_7Zk29dLmQpR4x7Kd" short />}
        actions={<Button kind="primary">Change plan</Button>}
      >
        <Facts />
      </Sheet>
    </Card>
  );
}

const Facts = () => (
  <FactList
    items={[
      { label: 'Email', value: 'ada@example.com' },
      { label: 'Country', value: <Country code="GB" /> },
      { label: 'Customer since', value: <DateText at="2025-03-14T09:00:00Z" /> },
      { label: 'Balance', value: <Money minor={0} currency="usd" /> },
      { label: 'ID', value: <Copy value="cus_7Zk29dLmQpR4x7Kd" short /> },
    ]}
  />
);

const Lines = () => (
  <Card title="Lines" padding="none" actions={<Button size="sm">Download PDF</Button>}>
    <Table
      label="Lines"
      rows={lines}
      rowKey={({ id }) => id}
      detail={({ id }) => id === 3 && '128,400 calls above 100,000 at $0.0025'}
      columns={[
        { id: 'name', title: 'Description', cell: ({ name }) => name, total: 'Total' },
        {
          id: 'quantity',
          title: 'Quantity',
          align: 'end',
          priority: 'secondary',
          cell: ({ quantity }) => <Count value={quantity} />,
        },
        {
          id: 'amount',
          title: 'Amount',
          align: 'end',
          cell: ({ minor }) => <Money minor={minor} currency="usd" />,
          total: <Money minor={27_510} currency="usd" />,
        },
      ]}
    />
  </Card>
);

const States = () => (
  <Columns count={3}>
    <Card>
      <EmptyState
        icon={<PlusIcon />}
        title="No customers yet"
        action={<Button kind="primary">New customer</Button>}
      >
        Customers appear here once they check out or you create them.
      </EmptyState>
    </Card>
    <Card>
      <ErrorState title="Invoices could not be loaded" requestId="req_2kd93k2d" onRetry={() => undefined} />
    </Card>
    <Card title="Loading">
      <Loading />
    </Card>
  </Columns>
);

/** All kit components on one page, for development and tests. */
export const Gallery = () => (
  <Page
    title="Kit of parts"
    status={<Status tone="info">Development</Status>}
    subtitle="Every part in its states"
    aside={
      <Card title="Details">
        <Facts />
      </Card>
    }
    actions={
      <>
        <Button>Export</Button>
        <Button kind="primary">New</Button>
      </>
    }
  >
    <Columns>
      <Buttons />
      <Labels />
    </Columns>
    <Columns>
      <Fields />
      <Stack>
        <Overlays />
        <Lines />
        <SearchField label="Search customers" />
        <Callout tone="warning" title="The card expires in December">
          Ask for a new one before the next charge on Dec 1.
        </Callout>
        <Callout tone="negative">The last payment failed: insufficient funds.</Callout>
        <Tabs
          label="Parts of the customer"
          items={[
            {
              id: 'invoices',
              label: 'Invoices',
              count: '12',
              content: <Text color="muted">Twelve invoices.</Text>,
            },
            { id: 'payments', label: 'Payments', content: <Text color="muted">Eleven payments.</Text> },
          ]}
        />
      </Stack>
    </Columns>
    <Section title="States" description="Empty, error and loading">
      <States />
    </Section>
    <Heading level={1}>Heading one</Heading>
  </Page>
);
