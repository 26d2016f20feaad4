// What only the sandbox shows, in one file.

export { CountryView } from './country-view.tsx';
export { TestCards } from './test-cards.tsx';
