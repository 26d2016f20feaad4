import { useState } from 'react';
import { useData } from '../../data/hooks.ts';
import { Badge, Status } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Copy } from '../../kit/copy.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Page } from '../../kit/page.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import type { Account } from './parts/provider-dialog.tsx';
import { RoutesCard } from './parts/routes-card.tsx';
import { SettingsProvidersDocument } from './providers.graphql';

const ProviderDialog = lazyPart(() =>
  import('./parts/provider-dialog.tsx').then((module) => module.ProviderDialog),
);

type AccountCardProps = { readonly account: Account; readonly onChange: () => void };

/** Card for a connected Stripe account. Shows whether the account's webhooks arrive. */
function AccountCard({ account, onChange }: AccountCardProps) {
  const words = useWords('providers');
  return (
    <Card
      title={
        <Row gap={2}>
          {account.name}
          {account.isDefault && <Badge tone="info">{words.isDefault}</Badge>}
        </Row>
      }
      actions={
        <Button size="sm" onPress={onChange}>
          {words.edit}
        </Button>
      }
    >
      <Stack gap={4}>
        {!account.hasWebhookSecret && (
          <Callout tone="warning" title={words.noSecret}>
            {words.noSecretText}
          </Callout>
        )}
        <FactList
          items={[
            { label: words.id, value: <Copy value={account.id} /> },
            { label: words.publishableKey, value: <Copy value={account.publishableKey} short /> },
            { label: words.webhookUrl, value: <Copy value={account.webhookUrl} /> },
            {
              label: words.webhookState,
              value: account.hasWebhookSecret ? (
                <Status tone="positive">{words.secretKnown}</Status>
              ) : (
                <Status tone="warning">{words.secretMissing}</Status>
              ),
            },
          ]}
        />
      </Stack>
    </Card>
  );
}

/** Lists connected payment accounts, and the countries assigned to each account. */
export default function ProvidersPage() {
  const title = useWords('titles').paymentSettings;
  const words = useWords('providers');
  const { data, error, refetch } = useData(SettingsProvidersDocument, {});
  const [open, setOpen] = useState<Account | 'new' | null>(null);
  const accounts = data?.connectedAccounts.nodes ?? [];
  const connect = (
    <Button kind="primary" onPress={() => setOpen('new')}>
      {words.connect}
    </Button>
  );
  return (
    <Page title={title} subtitle={words.text} actions={accounts.length > 0 && connect}>
      {data === null && error === null && <Loading lines={8} />}
      {data === null && error !== null && <DataError error={error} onRetry={refetch} />}
      {data !== null && (
        <Stack gap={6}>
          {accounts.length === 0 && (
            <Card>
              <EmptyState title={words.none} action={connect}>
                {words.noneText}
              </EmptyState>
            </Card>
          )}
          {accounts.map((account) => (
            <AccountCard key={account.id} account={account} onChange={() => setOpen(account)} />
          ))}
          <RoutesCard routes={data.paymentRoutes} accounts={accounts} onChanged={refetch} />
        </Stack>
      )}
      {open !== null && (
        <ProviderDialog
          account={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null);
            refetch();
          }}
        />
      )}
    </Page>
  );
}
