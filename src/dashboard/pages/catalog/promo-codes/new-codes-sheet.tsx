import { useState } from 'react';
import { addressOf, useAddressSearch } from '../../../address.ts';
import { ApiError } from '../../../data/api-error.ts';
import { useAction, useData } from '../../../data/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { Callout } from '../../../kit/callout.tsx';
import { RadioGroup } from '../../../kit/choice.tsx';
import { CopyButton } from '../../../kit/copy.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import { Link } from '../../../kit/link.tsx';
import { NumberField } from '../../../kit/number-field.tsx';
import { useKit } from '../../../kit/provider.tsx';
import { Select } from '../../../kit/select.tsx';
import { Text } from '../../../kit/text.tsx';
import { TextArea, TextField } from '../../../kit/text-field.tsx';
import { type Draft, useDraft } from '../../../kit/use-draft.ts';
import { codeBatch, exampleCode, maxCodes, randomBelow } from '../../../parts/catalog/model/code-batch.ts';
import { isForPromoCode, type PhaseAnswer, phaseDrafts } from '../../../parts/catalog/model/phases.ts';
import { Rejection } from '../../../parts/catalog/rejection.tsx';
import { useWords } from '../../../words/words.ts';
import { offerText } from '../offers/offer-text.ts';
import { EditSheet } from '../parts/edit-sheet.tsx';
import { type Limits, LimitsForm, noLimits } from './limits-form.tsx';
import { CatalogCodeChoicesDocument, CatalogPromoCodeCreateDocument } from './page.graphql';

type Values = {
  /** ID of the selected offer. `null` if the first suitable offer is used. */
  readonly chosen: string | null;
  readonly kind: 'one' | 'many';
  readonly code: string;
  readonly count: number;
  readonly limits: Limits;
};

type Progress = { readonly codes: readonly string[]; readonly made: number; readonly error: ApiError | null };

/** Lists the created codes. If the creation stopped early, also shows the error. */
function Made({
  progress,
  isRunning,
  onResume,
}: {
  readonly progress: Progress;
  readonly isRunning: boolean;
  readonly onResume: () => void;
}) {
  const words = useWords('promocodes');
  const { codes, made, error } = progress;
  const text = codes.slice(0, made).join('\n');
  return (
    <Stack gap={3}>
      <Text as="p">
        <span role="status">{words.made({ made, of: codes.length })}</span>
      </Text>
      {error !== null && (
        <>
          <Rejection error={error} />
          <Button onPress={onResume}>{words.resume({ left: codes.length - made })}</Button>
        </>
      )}
      {made > 0 && (
        <Row gap={2}>
          <Text>{words.copyAll}</Text>
          <CopyButton value={text} label={words.copyAll} />
        </Row>
      )}
      {!isRunning && <TextArea label={words.codes} value={text} isReadOnly rows={8} code />}
    </Stack>
  );
}

/** Sheet that creates a single promo code, or several codes with a common prefix. */
export function NewCodesSheet({
  onClose,
  onDone,
}: {
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const words = useWords('promocodes');
  const offerWords = useWords('offers');
  const { locale } = useKit();
  const [{ offer: wanted }] = useAddressSearch();
  const { data } = useData(CatalogCodeChoicesDocument, {});
  const [progress, setProgress] = useState<Progress | null>(null);
  const [create, { isRunning, error }] = useAction(CatalogPromoCodeCreateDocument);
  const fitting = (data?.offers.nodes ?? [])
    .map(({ id, name, phases }) => ({ id, name, phases: phaseDrafts(phases as readonly PhaseAnswer[]) }))
    .filter(({ phases }) => isForPromoCode(phases));
  const offerOf = (chosen: string | null) => chosen ?? fitting[0]?.id ?? null;
  const draft: Draft<Values> = useDraft<Values, unknown>(
    { chosen: wanted ?? null, kind: 'one', code: '', count: 10, limits: noLimits },
    {
      isReady: ({ chosen, kind, code }) =>
        offerOf(chosen) !== null && (kind === 'many' || code.trim() !== ''),
      send: async ({ kind, code, count, limits }) => {
        if (kind === 'many') await make(codeBatch(code, count, randomBelow), 0);
        else if (offerId !== null) return create({ input: { ...limits, code, offerId } });
        return null;
      },
      onDone: (made) => made !== null && onDone(),
    },
  );
  const { change } = draft;
  const { chosen, kind, code, count, limits } = draft.values;
  const offerId = offerOf(chosen);
  const make = async (codes: readonly string[], from: number) => {
    if (offerId === null) return;
    let made = from;
    setProgress({ codes, made, error: null });
    for (const one of codes.slice(from)) {
      const result = await create({ input: { ...limits, code: one, offerId } });
      if (result instanceof ApiError) return setProgress({ codes, made, error: result });
      made += 1;
      setProgress({ codes, made, error: null });
    }
  };
  if (progress !== null)
    return (
      <EditSheet title={words.new} onClose={onDone}>
        <Made
          progress={progress}
          isRunning={isRunning}
          onResume={() => void make(progress.codes, progress.made)}
        />
      </EditSheet>
    );
  return (
    <EditSheet
      title={words.new}
      save={kind === 'one' ? words.create : words.createMany({ count })}
      draft={draft}
      isRunning={isRunning}
      error={error}
      onClose={onClose}
    >
      <Stack gap={4}>
        {data !== null && fitting.length === 0 && (
          <Callout tone="warning" title={words.noOffer}>
            <Link href={addressOf('offers', null, { open: 'new' })}>{offerWords.sheet.new}</Link>
          </Callout>
        )}
        <Select
          label={words.offer}
          help={words.offerHelp}
          value={offerId}
          onChange={(id) => change({ chosen: id })}
          options={fitting.map(({ id, name, phases }) => ({
            value: id,
            label: name,
            help: offerText(phases, offerWords, locale),
          }))}
        />
        <RadioGroup
          label={words.howMany}
          value={kind}
          onChange={(value) => change({ kind: value === 'many' ? 'many' : 'one' })}
          options={[
            { value: 'one', label: words.one },
            { value: 'many', label: words.many, help: words.manyHelp },
          ]}
        />
        <TextField
          label={kind === 'one' ? words.code : words.prefix}
          name="code"
          help={kind === 'one' ? words.codeHelp : words.prefixHelp({ example: exampleCode(code) })}
          value={code}
          onChange={(text) => change({ code: text.toUpperCase() })}
          maxLength={kind === 'one' ? 100 : 40}
          isOptional={kind === 'many'}
          code
        />
        {kind === 'many' && (
          <NumberField
            label={words.count}
            value={count}
            minValue={1}
            maxValue={maxCodes}
            onChange={(value) => change({ count: Number.isNaN(value) ? 1 : value })}
          />
        )}
        <LimitsForm
          value={limits}
          plans={data?.plans.nodes ?? []}
          onChange={(changed) => change({ limits: changed })}
        />
      </Stack>
    </EditSheet>
  );
}
