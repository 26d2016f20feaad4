import { Stack } from '../kit/layout.tsx';
import { Sheet } from '../kit/sheet.tsx';
import type { shell } from '../words/en/shell.ts';
import { useWords } from '../words/words.ts';
import { AccountMenu } from './account-menu.tsx';
import { Navigation } from './navigation.tsx';
import { isPhoneMenuOpen } from './open-panels.ts';
import { PlaceMenu } from './side.tsx';

const close = (): void => isPhoneMenuOpen.set(false);

/** Everything the column beside the page has, as a sheet of phones. */
export default function PhoneMenu() {
  const { menu } = useWords<typeof shell>('shell');
  return (
    <Sheet isOpen onClose={close} title={menu}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Links inside close the sheet, by keys too. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: The links are what is pressed. */}
      <div onClick={(event) => (event.target as Element).closest('a') !== null && close()}>
        <Stack gap={3}>
          <PlaceMenu />
          <Navigation />
          <AccountMenu />
        </Stack>
      </div>
    </Sheet>
  );
}
