/** Version of the mandate texts that hosted pages show. Changes with every change to a text in any language (INS-62). */
export const mandateTextVersion = '2026-11-29';
