import { useState } from 'react';
import { useAddressSearch } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Page } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { DeveloperAppConnectionRequestDocument } from './connect.graphql';
import { ConnectRequest, type ConnectResult } from './connect-request.tsx';

/** Page on which a member approves or denies the connection of an app. Opening the page decides nothing. */
export default function ConnectPage() {
  const title = useWords('titles').connect;
  const words = useWords('connect');
  const [search] = useAddressSearch();
  const request = search['request'] ?? '';
  const [result, setResult] = useState<ConnectResult | null>(null);
  if (result !== null)
    return (
      <Page title={title}>
        <Decided result={result} />
      </Page>
    );
  return (
    <Page title={title} subtitle={words.about}>
      {request === '' ? (
        <Callout tone="info">{words.missing}</Callout>
      ) : (
        <Lookup request={request} onDecide={setResult} />
      )}
    </Page>
  );
}

function Decided({ result: { decision, redirectUrl } }: { readonly result: ConnectResult }) {
  const words = useWords('connect');
  return (
    <Stack gap={4}>
      <div role="status">
        <Callout
          tone={decision === 'approved' ? 'positive' : 'info'}
          title={decision === 'approved' ? words.approved : words.denied}
        >
          {words.opening}
        </Callout>
      </div>
      <Row>
        <LinkButton href={redirectUrl}>{words.open}</LinkButton>
      </Row>
    </Stack>
  );
}

type LookupProps = { readonly request: string; readonly onDecide: (result: ConnectResult) => void };

function Lookup({ request, onDecide }: LookupProps) {
  const words = useWords('connect');
  const { data, error } = useData(DeveloperAppConnectionRequestDocument, { request });
  if (data === null && error === null) return <Loading lines={6} />;
  if (data === null) return <Rejection error={error} texts={{ not_found: words.expired }} />;
  return <ConnectRequest request={request} of={data.appConnectionRequest} onDecide={onDecide} />;
}
