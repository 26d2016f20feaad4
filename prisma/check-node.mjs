// Plain JavaScript, so that an old Node can still read it and say what is wrong in a sentence.
const [major] = process.versions.node.split('.').map(Number);
if (major < 26) {
  console.error(
    `Quittance needs Node 26, and this is ${process.version}. The right one normally comes with \`npm ci\` as an optional package; ` +
      'it is missing here, either because optional packages were left out or because there is none for this system ' +
      '(a C library other than glibc, such as Alpine has, for instance). Install Node 26 or newer and try again.',
  );
  process.exit(2);
}
