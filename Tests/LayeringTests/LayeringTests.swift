import Testing

@Suite struct LayeringTests {}
