import type { GraphQLSchema } from 'graphql';
import { useEffect, useMemo, useState } from 'react';
import { base } from '../../data/place.ts';
import { useStore } from '../../data/store.ts';
import { Button } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy.tsx';
import { GraphqlEditor } from '../../kit/editor/graphql-editor.tsx';
import type { EditorProblem } from '../../kit/editor/problems.ts';
import { ErrorState } from '../../kit/error-state.tsx';
import { Columns, Row, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Page } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { TextArea } from '../../kit/text-field.tsx';
import { curlOf } from '../../shell/drawer/curl.ts';
import { draft } from '../../shell/explorer-draft.ts';
import { useWords } from '../../words/words.ts';
import { history, withEntry } from './history.ts';
import { HistoryList } from './history-list.tsx';
import { readSchema } from './read-schema.ts';
import { Result } from './result.tsx';
import { SchemaDocs } from './schema-docs.tsx';
import { operationsIn, problemsOf, requestOf } from './typed.ts';
import { useRun } from './use-run.ts';

// Loads the operation selector only for documents that contain several operations.
const OperationChoice = lazyPart(() => import('./operation-choice.tsx').then((module) => module.default));

type SchemaState = GraphQLSchema | 'loading' | 'failed';

/** Returns the schema and a function that reloads it. */
function useSchema(): [SchemaState, () => void] {
  const [schema, setSchema] = useState<SchemaState>('loading');
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each attempt asks again.
  useEffect(() => {
    setSchema('loading');
    readSchema().then(setSchema, () => setSchema('failed'));
  }, [attempt]);
  return [schema, () => setAttempt((before) => before + 1)];
}

/** API explorer: editor for GraphQL documents with completion, results, and documentation. */
export default function ExplorerPage() {
  const title = useWords('titles').explorer;
  const words = useWords('explorer');
  const { document, variables } = useStore(draft);
  const [headers, setHeaders] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [wrong, setWrong] = useState<'variables' | 'headers' | null>(null);
  const [at, setAt] = useState<EditorProblem | null>(null);
  const [type, setType] = useState('');
  const [tab, setTab] = useState('result');
  const [schema, readAgain] = useSchema();
  const { outcome, isRunning, run, stop } = useRun();
  const problems = useMemo(() => problemsOf(outcome?.errors ?? []), [outcome?.errors]);
  const names = operationsIn(document).flatMap(({ name }) => (name === undefined ? [] : [name.value]));
  const request = requestOf({ document, variables, headers }, chosen);

  const start = (): void => {
    setTab('result');
    if ('wrong' in request) {
      setWrong(request.wrong);
      return;
    }
    setWrong(null);
    history.set(withEntry(history.get(), { document, variables, at: new Date().toISOString() }));
    run(request);
  };
  const known = typeof schema === 'string' ? null : schema;
  const url = `${location.origin}${base}/graphql`;
  return (
    <Page
      title={title}
      subtitle={words.about}
      actions={
        <Row>
          {!('wrong' in request) && request.kind !== 'subscription' && (
            <CopyButton value={curlOf(request, url)} label={words.copyCurl} />
          )}
          {names.length > 1 && (
            <OperationChoice label={words.operation} names={names} chosen={chosen} onChoose={setChosen} />
          )}
          {isRunning ? (
            <Button onPress={stop}>{words.stop}</Button>
          ) : (
            <Button kind="primary" keys="Mod Enter" onPress={start}>
              {words.run}
            </Button>
          )}
        </Row>
      }
    >
      <Columns count={2}>
        <Stack gap={3}>
          <GraphqlEditor
            label={words.document}
            value={document}
            onChange={(text) => draft.set({ ...draft.get(), document: text })}
            schema={known}
            problems={problems}
            at={at}
            onRun={start}
            onShow={(name) => {
              setType(name);
              setTab('docs');
            }}
          />
          <TextArea
            label={words.variables}
            code
            rows={5}
            value={variables}
            onChange={(text) => draft.set({ ...draft.get(), variables: text })}
            {...(wrong === 'variables' && { error: words.notJson })}
          />
          <TextArea
            label={words.headers}
            help={words.headersHelp}
            code
            rows={2}
            value={headers}
            onChange={setHeaders}
            {...(wrong === 'headers' && { error: words.notJson })}
          />
        </Stack>
        <Tabs
          label={title}
          selected={tab}
          onSelect={setTab}
          items={[
            {
              id: 'result',
              label: words.answer,
              content: (
                <Result outcome={outcome} isRunning={isRunning} onPlace={(place) => setAt({ ...place })} />
              ),
            },
            {
              id: 'docs',
              label: words.docs,
              content:
                known !== null ? (
                  <SchemaDocs schema={known} type={type} onType={setType} />
                ) : schema === 'failed' ? (
                  <ErrorState title={words.schemaFailed} onRetry={readAgain} />
                ) : (
                  <Loading lines={6} />
                ),
            },
            {
              id: 'history',
              label: words.history,
              content: (
                <HistoryList
                  onTake={(taken) => draft.set({ document: taken.document, variables: taken.variables })}
                />
              ),
            },
          ]}
        />
      </Columns>
    </Page>
  );
}
