-- Values that can be read, in place of those that bulkmigrate fixture made.
UPDATE ZTRIP SET ZTITLE = 'river ' || Z_PK;
UPDATE ZNOTE SET ZTEXT = CASE Z_PK WHEN 2 THEN NULL ELSE 'text ' || Z_PK END;
UPDATE ZACCOUNT SET ZEMAIL = CASE Z_PK WHEN 4 THEN 'Ann@example.org' ELSE char(96 + Z_PK) || 'nn@example.org' END;
UPDATE ZPLACE SET ZNAME = 'place ' || Z_PK, ZLATITUDE = 48.5 + Z_PK, ZLONGITUDE = 9.25;
UPDATE ZPERSON SET ZNAME = 'person ' || Z_PK, ZSTREET = 'Long Lane', ZCITY = CASE WHEN Z_PK < 3 THEN 'Ulm' ELSE 'Bonn' END;
