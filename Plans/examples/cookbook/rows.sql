-- Values that can be read, in place of those that bulkmigrate fixture made.
UPDATE ZCOMPANY SET ZNAME = 'Lane & Sons', ZCITY = 'Bonn';
UPDATE ZPERSON SET (ZNAME, ZEMAIL, ZPHONES, ZSTREET, ZCITY) = (SELECT column2, column3, column4, column5, column6 FROM (VALUES
  (1, 'Ann',  'ann@example.org', '0731 11,0731 12', 'Long Lane 1', 'Ulm'),
  (2, 'Ben',  'ben@example.org', '0731 21',         'Long Lane 2', 'Ulm'),
  (3, 'Cleo', NULL,              NULL,              'Mill Road 3', 'Bonn'),
  (4, 'Anna', 'ann@example.org', '0228 41',         NULL,          'Bonn')) WHERE column1 = Z_PK);
