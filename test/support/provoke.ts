// Loaded into a process before the product, to make happen in it what nobody expects.

process.on('SIGUSR2', () => {
  throw new Error('A provoked exception');
});
process.on('SIGHUP', () => {
  void Promise.reject(new Error('A provoked rejection'));
});
