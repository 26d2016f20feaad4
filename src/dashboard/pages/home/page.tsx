import { useData } from '../../data/hooks.ts';
import { Columns, Stack } from '../../kit/layout.tsx';
import { Page } from '../../kit/page.tsx';
import { WelcomeLink } from '../../parts/welcome/welcome-link.tsx';
import type { titles } from '../../words/en/titles.ts';
import { useWords } from '../../words/words.ts';
import { Attention } from './attention.tsx';
import { Coming } from './coming.tsx';
import { FigureTiles } from './figure-tiles.tsx';
import { Now } from './now.tsx';
import { HomeDocument } from './page.graphql';

/** What needs attention, how the business does, what happens now and what comes next. */
export default function HomePage() {
  const { home } = useWords<typeof titles>('titles');
  const { data } = useData(HomeDocument, {});
  return (
    <Page title={home} subtitle={data?.organization.name}>
      <Stack gap={5}>
        <WelcomeLink />
        <FigureTiles currency={data?.organization.reportingCurrency ?? null} />
        <Columns count="aside">
          <Stack gap={5}>
            <Attention />
            <Coming />
          </Stack>
          <Now />
        </Columns>
      </Stack>
    </Page>
  );
}
