import { languageNames, languages } from '../../../domain/text/language.ts';
import { useStore } from '../../data/store.ts';
import { RadioGroup, Switch } from '../../kit/choice.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import {
  chooseDensity,
  chooseTheme,
  chosenLanguage,
  density,
  hasShortcuts,
  theme,
} from '../../shell/display.ts';
import type { Language } from '../../words/language.ts';
import { useWords } from '../../words/words.ts';

const themes = ['system', 'light', 'dark'] as const;
const densities = ['compact', 'cosy'] as const;

/** Display settings that apply to all browsers of the signed-in user. */
export function DisplayCard() {
  const words = useWords('account');
  const frame = useWords('shell');
  return (
    <Card title={words.display}>
      <Stack gap={5}>
        <Columns count={3}>
          <RadioGroup
            label={frame.theme}
            value={useStore(theme)}
            onChange={(value) => chooseTheme(value as (typeof themes)[number])}
            options={themes.map((value) => ({ value, label: frame.themes[value] }))}
          />
          <RadioGroup
            label={frame.density}
            value={useStore(density)}
            onChange={(value) => chooseDensity(value as (typeof densities)[number])}
            options={densities.map((value) => ({ value, label: frame.densities[value] }))}
          />
          <RadioGroup
            label={frame.language}
            value={useStore(chosenLanguage)}
            onChange={(value) => chosenLanguage.set(value as Language)}
            options={languages.map((value) => ({ value, label: languageNames[value] }))}
          />
        </Columns>
        <Switch
          isSelected={useStore(hasShortcuts)}
          onChange={(isOn) => hasShortcuts.set(isOn)}
          help={words.shortcutsHelp}
        >
          {frame.letterShortcuts}
        </Switch>
      </Stack>
    </Card>
  );
}
