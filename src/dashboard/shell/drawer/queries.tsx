import { useState } from 'react';
import { addressOf } from '../../address.ts';
import { base } from '../../data/place.ts';
import { lastBefore, type RecordedRequest, type Request, requests } from '../../data/requests.ts';
import { useStore } from '../../data/store.ts';
import { Button } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy.tsx';
import { Columns, Row, Stack } from '../../kit/layout.tsx';
import { Select } from '../../kit/select.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { Count } from '../../kit/values.tsx';
import { openAddress } from '../../router-address.ts';
import { useWords } from '../../words/words.ts';
import { draft } from '../explorer-draft.ts';
import { curlOf } from './curl.ts';
import styles from './drawer.module.css';

/** Opens a request in the API explorer. */
function explore({ document, variables }: Request): void {
  draft.set({ document, variables: JSON.stringify(variables, null, 2) });
  openAddress(addressOf('explorer'));
}

const mainOf = (all: readonly RecordedRequest[]): RecordedRequest | undefined =>
  all.toSorted((a, b) => (b.cost ?? 0) - (a.cost ?? 0))[0];

/** Lists the requests of the current page with their document, variables, duration and cost. */
export function Queries() {
  const words = useWords('drawer');
  const before = useStore(lastBefore);
  const all = useStore(requests).filter(({ number }) => number > before);
  const [chosen, setChosen] = useState<string | null>(null);
  const request = all.find(({ name }) => name === chosen) ?? mainOf(all);
  if (request === undefined) return <EmptyState title={words.noRequests} />;
  const names = [...new Set(all.map(({ name }) => name))];
  return (
    <Stack gap={3}>
      <Row gap={4} align="end">
        <Select
          label={words.request}
          options={names.map((name) => ({ value: name, label: name }))}
          value={request.name}
          onChange={(name) => setChosen(name)}
        />
        <Text color="muted">{words.took({ milliseconds: Math.round(request.milliseconds) })}</Text>
        {request.cost !== null && (
          <Text color="muted">
            {words.cost} <Count value={request.cost} />
          </Text>
        )}
        <CopyButton value={curlOf(request, `${location.origin}${base}/graphql`)} label={words.copyCurl} />
        <CopyButton value={request.document} label={words.copyDocument} />
        <Button size="sm" onPress={() => explore(request)}>
          {words.openExplorer}
        </Button>
      </Row>
      <Columns count={2}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard. */}
        <section className={styles.code} tabIndex={0} aria-label={words.document}>
          <pre>{request.document}</pre>
        </section>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard. */}
        <section className={styles.code} tabIndex={0} aria-label={words.variables}>
          <pre>{JSON.stringify(request.variables, null, 2)}</pre>
        </section>
      </Columns>
    </Stack>
  );
}
