let pressed: HTMLButtonElement | null = null;

/** Records the button that is being pressed by pointer, by keyboard, or with Enter in a field of its form. */
export const notePresses = (): void =>
  addEventListener(
    'click',
    ({ target }) => {
      pressed = (target as Element).closest('button');
      setTimeout(() => {
        pressed = null;
      });
    },
    true,
  );

/** Returns the button whose press is being handled. `null` if no button is pressed. */
export const pressedButton = (): HTMLButtonElement | null => pressed;
