; source 472d43522f193aae2c1d77050e3f9050
; Made by tools/engine/build.py with numba 0.68.1. Do not edit.

@python.outside = internal constant [46 x i8] c"an index of the engine lies outside its table\00"
@PyExc_IndexError = external local_unnamed_addr global ptr

define internal fastcc i32 @entry.serve(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, i64 %arg.address, i64 %arg.request, i64 %arg.x, i64 %arg.y) unnamed_addr {
entry:
  %.779.i.i = alloca i64, align 8
  %.1678.i.i293 = alloca i64, align 8
  %.1107.i.i = alloca i64, align 8
  %excinfo.1.i168.i = alloca ptr, align 8
  %.1421.i.i294 = alloca i64, align 8
  %excinfo.2.i.i295 = alloca ptr, align 8
  %.191.i.i = alloca i64, align 8
  %excinfo.1.i.i296 = alloca ptr, align 8
  %.35.i = alloca i64, align 8
  %.66.i = alloca i64, align 8
  %excinfo.2.i297 = alloca ptr, align 8
  %.105.i = alloca i64, align 8
  %.149.i298 = alloca i64, align 8
  %excinfo.4.i299 = alloca ptr, align 8
  %.746.i.i = alloca i64, align 8
  %excinfo.2.i338.i = alloca ptr, align 8
  %.931.i272.i = alloca i64, align 8
  %excinfo.2.i273.i = alloca ptr, align 8
  %.845.i.i = alloca i64, align 8
  %excinfo.3.i.i = alloca ptr, align 8
  %.1094.i.i = alloca i64, align 8
  %excinfo.1.i229.i = alloca ptr, align 8
  %.245.i290.i.i.i = alloca i64, align 8
  %excinfo.1.i291.i.i.i = alloca ptr, align 8
  %.245.i.i.i.i = alloca i64, align 8
  %excinfo.1.i.i.i181.i = alloca ptr, align 8
  %.1324.i.i = alloca i64, align 8
  %.2081.i.i = alloca i64, align 8
  %excinfo.11.i.i = alloca ptr, align 8
  %.2132.i.i = alloca i64, align 8
  %excinfo.12.i.i = alloca ptr, align 8
  %.191.i.i.i.i = alloca i64, align 8
  %excinfo.1.i.i.i.i = alloca ptr, align 8
  %.603.i.i = alloca i64, align 8
  %excinfo.1.i.i = alloca ptr, align 8
  %.735.i.i = alloca i64, align 8
  %excinfo.2.i.i = alloca ptr, align 8
  %.3792.i.i = alloca i64, align 8
  %excinfo.5.i.i = alloca ptr, align 8
  %.4286.i.i = alloca i64, align 8
  %excinfo.8.i.i = alloca ptr, align 8
  %.33.i = alloca i64, align 8
  %excinfo.1.i286 = alloca ptr, align 8
  %.78.i287 = alloca i64, align 8
  %excinfo.2.i288 = alloca ptr, align 8
  %.24.i = alloca i64, align 8
  %excinfo.1.i281 = alloca ptr, align 8
  %.156.i = alloca i64, align 8
  %excinfo.2.i = alloca ptr, align 8
  %.220.i = alloca i64, align 8
  %excinfo.3.i = alloca ptr, align 8
  %.327.i = alloca i64, align 8
  %excinfo.4.i = alloca ptr, align 8
  %.532.i = alloca i64, align 8
  %excinfo.7.i = alloca ptr, align 8
  %.191.i = alloca i64, align 8
  %excinfo.1.i = alloca ptr, align 8
  %.19 = inttoptr i64 %arg.address to ptr
  %.43 = icmp sgt i64 %arg.request, 3
  br i1 %.43, label %B68, label %B438

B68:                                              ; preds = %entry
  %.46 = icmp slt i64 %arg.x, 0
  br i1 %.46, label %B120, label %B80

B80:                                              ; preds = %B68
  %.77 = getelementptr i8, ptr %.19, i64 128
  %.78 = load i64, ptr %.77, align 8
  %.80.not = icmp slt i64 %arg.x, %.78
  br i1 %.80.not, label %B134, label %B120

common.ret:                                       ; preds = %B642.if, %B580.if, %B524.if, %B252.if, %entry.answer.exit403, %entry.answer.exit393, %B524.endif, %entry.answer.exit, %B120
  %common.ret.op = phi i32 [ 0, %B120 ], [ 1, %B642.if ], [ 0, %entry.answer.exit ], [ 1, %B252.if ], [ 0, %B524.endif ], [ 0, %entry.answer.exit403 ], [ 1, %B524.if ], [ 0, %entry.answer.exit393 ], [ 1, %B580.if ]
  ret i32 %common.ret.op

B120:                                             ; preds = %B80, %B68
  store i64 2, ptr %retptr, align 8
  br label %common.ret

B134:                                             ; preds = %B80
  %.93 = icmp eq i64 %arg.request, 5
  br i1 %.93, label %B156, label %B438

B156:                                             ; preds = %B134
  %.105 = getelementptr i8, ptr %.19, i64 576
  %.106 = load i64, ptr %.105, align 8
  %.108 = getelementptr i8, ptr %.19, i64 592
  %.109 = load i64, ptr %.108, align 8
  %.115 = inttoptr i64 %.106 to ptr
  %.153 = icmp slt i64 %arg.y, 0
  %.154 = select i1 %.153, i64 %.109, i64 0
  %0 = getelementptr i32, ptr %.115, i64 %arg.y
  %.168 = getelementptr i32, ptr %0, i64 %.154
  %.169 = load i32, ptr %.168, align 4
  %.185 = icmp slt i64 %arg.y, -1
  %.186 = select i1 %.185, i64 %.109, i64 0
  %1 = getelementptr i8, ptr %0, i64 4
  %.200 = getelementptr i32, ptr %1, i64 %.186
  %.201 = load i32, ptr %.200, align 4
  %.202 = icmp slt i32 %.169, %.201
  br i1 %.202, label %B252, label %entry.answer.exit

B252:                                             ; preds = %B156
  %.216 = getelementptr i8, ptr %.19, i64 552
  %.217 = load i64, ptr %.216, align 8
  %.219 = getelementptr i8, ptr %.19, i64 568
  %.220 = load i64, ptr %.219, align 8
  %.226 = inttoptr i64 %.217 to ptr
  %.277 = sext i32 %.169 to i64
  %.314 = sext i32 %.201 to i64
  store ptr null, ptr %excinfo.1.i, align 8, !noalias !0
  %.68.i = sub nsw i64 %.314, %.277
  br label %B36.i

B36.i:                                            ; preds = %B38.endif.i, %B252
  %.55.0.i = phi i64 [ %.277, %B252 ], [ %.130.i, %B38.endif.i ]
  %.58.0.i = phi i64 [ %.68.i, %B252 ], [ %.126.i, %B38.endif.i ]
  %state.2.0.i = phi i64 [ %arg.x, %B252 ], [ %.207.i.fr, %B38.endif.i ]
  %.117.i = icmp sgt i64 %.58.0.i, 0
  br i1 %.117.i, label %B36.if.i, label %B16.i

B36.if.i:                                         ; preds = %B36.i
  %.171.i = icmp slt i64 %.55.0.i, 0
  %.172.i = select i1 %.171.i, i64 %.220, i64 0
  %2 = getelementptr i8, ptr %.226, i64 %.55.0.i
  %.186.i = getelementptr i8, ptr %2, i64 %.172.i
  %.187.i = load i8, ptr %.186.i, align 1, !noalias !0
  %.188.i = zext i8 %.187.i to i64
  store i64 0, ptr %.191.i, align 8, !noalias !0
  %.197.i = call fastcc i32 @states.step(ptr %.191.i, ptr %excinfo.1.i, ptr %.19, i64 %state.2.0.i, i64 %.188.i)
  %.199.not.i = icmp eq i32 %.197.i, 0
  br i1 %.199.not.i, label %B38.endif.i, label %B252.if, !prof !4

B38.endif.i:                                      ; preds = %B36.if.i
  %.207.i = load i64, ptr %.191.i, align 8, !noalias !0
  %.207.i.fr = freeze i64 %.207.i
  %.130.i = add nsw i64 %.55.0.i, 1
  %.126.i = add nsw i64 %.58.0.i, -1
  %.223.i = icmp slt i64 %.207.i.fr, 0
  br i1 %.223.i, label %B52.i, label %B36.i

B16.i:                                            ; preds = %B36.i
  %.11.i = shl i64 %state.2.0.i, 4
  br label %entry.answer.exit

B52.i:                                            ; preds = %B38.endif.i
  %switch.selectcmp.i = icmp eq i64 %.207.i.fr, -6
  %spec.select = select i1 %switch.selectcmp.i, i64 4, i64 3
  %switch.selectcmp1.i = icmp eq i64 %.207.i.fr, -3
  %spec.select457 = select i1 %switch.selectcmp1.i, i64 1, i64 %spec.select
  br label %entry.answer.exit

entry.answer.exit:                                ; preds = %B156, %B52.i, %B16.i
  %"$phi136.0.2.0.sink.i" = phi i64 [ %.11.i, %B16.i ], [ %spec.select457, %B52.i ], [ 3, %B156 ]
  store i64 %"$phi136.0.2.0.sink.i", ptr %retptr, align 8
  br label %common.ret

B438:                                             ; preds = %entry, %B134
  %.425 = getelementptr i8, ptr %.19, i64 888
  %.426 = load i64, ptr %.425, align 8
  %.427 = icmp eq i64 %.426, 0
  br i1 %.427, label %B472, label %B502

B472:                                             ; preds = %B438
  %.457 = getelementptr i8, ptr %.19, i64 880
  store i64 -1, ptr %.457, align 8
  br label %B502

B502:                                             ; preds = %B472, %B438
  %.461 = icmp eq i64 %arg.request, 8
  br i1 %.461, label %B524, label %B558

B524:                                             ; preds = %B502
  store ptr null, ptr %excinfo.1.i281, align 8, !noalias !5
  store ptr null, ptr %excinfo.2.i, align 8, !noalias !5
  store ptr null, ptr %excinfo.3.i, align 8, !noalias !5
  store ptr null, ptr %excinfo.4.i, align 8, !noalias !5
  store ptr null, ptr %excinfo.7.i, align 8, !noalias !5
  store i64 0, ptr %.24.i, align 8, !noalias !5
  %.30.i = call fastcc i32 @classes.loop_of(ptr %.24.i, ptr %excinfo.1.i281, ptr nonnull %.19, i64 %arg.x)
  %.32.not.i = icmp eq i32 %.30.i, 0
  %.40.i = load i64, ptr %.24.i, align 8, !noalias !5
  br i1 %.32.not.i, label %B0.endif.i, label %B524.if, !prof !4

B72.i:                                            ; preds = %B0.endif.i
  %.69.i = icmp sgt i64 %.40.i, -1
  br i1 %.69.i, label %B84.i, label %B120.i

B84.i:                                            ; preds = %B72.i
  %.78.i = shl i64 %.40.i, 4
  %.81.i = or i64 %.78.i, 7
  br label %B524.endif

B120.i:                                           ; preds = %B72.i
  %.87.i = icmp eq i64 %arg.y, 0
  br i1 %.87.i, label %B132.i, label %B316.i

B132.i:                                           ; preds = %B120.i
  %.118.i = load i64, ptr %.425, align 8, !noalias !5
  %.119.i = icmp eq i64 %.118.i, 0
  br i1 %.119.i, label %B166.i, label %B316.i

B166.i:                                           ; preds = %B132.i
  %.149.i = getelementptr i8, ptr %.19, i64 872
  %.150.i = load i64, ptr %.149.i, align 8, !noalias !5
  %.151.i = icmp sgt i64 %.150.i, -1
  br i1 %.151.i, label %B200.i, label %B316.i

B200.i:                                           ; preds = %B166.i
  store i64 0, ptr %.156.i, align 8, !noalias !5
  %.162.i = call fastcc i32 @classes.near_state(ptr %.156.i, ptr %excinfo.2.i, ptr nonnull %.19, i64 %arg.x)
  %.164.not.i = icmp eq i32 %.162.i, 0
  %.172.i284 = load i64, ptr %.156.i, align 8, !noalias !5
  br i1 %.164.not.i, label %B200.endif.i, label %B524.if, !prof !4

B268.i:                                           ; preds = %B200.endif.i
  %.199.i = icmp sgt i64 %.172.i284, -1
  br i1 %.199.i, label %B280.i, label %B316.i

B280.i:                                           ; preds = %B268.i
  %.208.i = shl i64 %.172.i284, 4
  %.211.i = or i64 %.208.i, 6
  br label %B524.endif

B316.i:                                           ; preds = %B268.i, %B166.i, %B132.i, %B120.i
  store i64 0, ptr %.220.i, align 8, !noalias !5
  %.226.i = call fastcc i32 @tokens.below(ptr %.220.i, ptr %excinfo.3.i, ptr nonnull %.19, i64 %arg.y, i64 %arg.x, i64 0, i64 0)
  %.228.not.i = icmp eq i32 %.226.i, 0
  %.236.i = load i64, ptr %.220.i, align 8, !noalias !5
  br i1 %.228.not.i, label %B316.endif.i, label %B524.if, !prof !4

B428.i:                                           ; preds = %B316.endif.i
  %.289.i = getelementptr i8, ptr %.19, i64 880
  %.290.i = load i64, ptr %.289.i, align 8, !noalias !5
  %.291.i = icmp sgt i64 %.290.i, -1
  br i1 %.291.i, label %B462.i, label %B880.i

B462.i:                                           ; preds = %B428.i
  store i64 0, ptr %.327.i, align 8, !noalias !5
  %.333.i = call fastcc i32 @classes.loop_of(ptr %.327.i, ptr %excinfo.4.i, ptr nonnull %.19, i64 %.290.i)
  %.335.not.i = icmp eq i32 %.333.i, 0
  %.343.i = load i64, ptr %.327.i, align 8, !noalias !5
  br i1 %.335.not.i, label %B462.endif.i, label %B524.if, !prof !4

B538.i:                                           ; preds = %B462.endif.i
  store i64 1, ptr %.425, align 8, !noalias !9
  %.73.i.i = getelementptr i8, ptr %.19, i64 896
  store i64 0, ptr %.73.i.i, align 8, !noalias !9
  %.102.i.i = getelementptr i8, ptr %.19, i64 904
  store i64 %.236.i, ptr %.102.i.i, align 8, !noalias !9
  br label %B524.endif

B652.i:                                           ; preds = %B462.endif.i
  %.424.i = icmp sgt i64 %.343.i, -1
  br i1 %.424.i, label %B664.i, label %B700.i

B664.i:                                           ; preds = %B652.i
  %.433.i = shl i64 %.236.i, 4
  %.436.i = or i64 %.433.i, 5
  br label %B524.endif

B700.i:                                           ; preds = %B652.i
  %.468.i = load i64, ptr %.289.i, align 8, !noalias !5
  store i64 -1, ptr %.289.i, align 8, !noalias !5
  %.528.i = getelementptr i8, ptr %.19, i64 872
  %.529.i = load i64, ptr %.528.i, align 8, !noalias !5
  store i64 0, ptr %.532.i, align 8, !noalias !5
  %.538.i = call fastcc i32 @tokens.below(ptr %.532.i, ptr %excinfo.7.i, ptr nonnull %.19, i64 %.529.i, i64 %.468.i, i64 %.236.i, i64 0)
  %.540.not.i = icmp eq i32 %.538.i, 0
  br i1 %.540.not.i, label %B844.i, label %B524.if, !prof !4

B844.i:                                           ; preds = %B700.i
  %.548.i = load i64, ptr %.532.i, align 8, !noalias !5
  %.566.i = icmp eq i64 %.548.i, -3
  br i1 %.566.i, label %B524.endif, label %B880.i

B880.i:                                           ; preds = %B844.i, %B428.i
  %n.2.06.i = phi i64 [ %.548.i, %B844.i ], [ %.236.i, %B428.i ]
  %.588.i = getelementptr i8, ptr %.19, i64 120
  %.589.i = load i64, ptr %.588.i, align 8, !noalias !5
  %.591.i = getelementptr i8, ptr %.19, i64 136
  %.592.i = load i64, ptr %.591.i, align 8, !noalias !5
  %.598.i = inttoptr i64 %.589.i to ptr
  %.652.i = icmp slt i64 %arg.x, 0
  %.653.i = select i1 %.652.i, i64 %.592.i, i64 0
  %.654.i = add i64 %.653.i, %arg.x
  %.idx.i = shl i64 %.654.i, 6
  %3 = getelementptr i8, ptr %.598.i, i64 %.idx.i
  %.678.i = getelementptr i8, ptr %3, i64 32
  %.679.i = load i64, ptr %.678.i, align 8, !noalias !5
  %4 = shl i64 %n.2.06.i, 5
  %.680.i = shl i64 %.679.i, 4
  %5 = and i64 %.680.i, 16
  %.682.i = or i64 %5, %4
  br label %B524.endif

B0.endif.i:                                       ; preds = %B524
  %.56.i = icmp eq i64 %.40.i, -3
  br i1 %.56.i, label %B524.endif, label %B72.i

B200.endif.i:                                     ; preds = %B200.i
  %.186.i285 = icmp eq i64 %.172.i284, -3
  br i1 %.186.i285, label %B524.endif, label %B268.i

B316.endif.i:                                     ; preds = %B316.i
  %.256.not.i = icmp eq i64 %.236.i, -3
  br i1 %.256.not.i, label %B524.endif, label %B428.i

B462.endif.i:                                     ; preds = %B462.i
  %.357.i = icmp eq i64 %.343.i, -3
  br i1 %.357.i, label %B538.i, label %B652.i

B558:                                             ; preds = %B502
  %.504 = icmp sgt i64 %arg.request, 8
  br i1 %.504, label %B580, label %B642

B580:                                             ; preds = %B558
  store i64 0, ptr %.33.i, align 8, !noalias !12
  store ptr null, ptr %excinfo.1.i286, align 8, !noalias !12
  store i64 0, ptr %.78.i287, align 8, !noalias !12
  store ptr null, ptr %excinfo.2.i288, align 8, !noalias !12
  switch i64 %arg.request, label %.thread449 [
    i64 9, label %B26.i
    i64 10, label %B138.i
    i64 11, label %B250.i
    i64 15, label %B304.i
    i64 12, label %B360.i
    i64 13, label %B414.i
    i64 16, label %B470.i
    i64 14, label %B526.i
  ]

.thread449:                                       ; preds = %B580
  br label %entry.answer.exit393

B26.i:                                            ; preds = %B580
  %.39.i = call fastcc i32 @tokens.below(ptr %.33.i, ptr %excinfo.1.i286, ptr nonnull %.19, i64 %arg.y, i64 %arg.x, i64 0, i64 0)
  %.41.not.i = icmp eq i32 %.39.i, 0
  br i1 %.41.not.i, label %B26.endif.i, label %B26.if.i, !prof !4

B138.i:                                           ; preds = %B580
  %.84.i = call fastcc i32 @tokens.below(ptr %.78.i287, ptr %excinfo.2.i288, ptr nonnull %.19, i64 %arg.y, i64 %arg.x, i64 0, i64 1)
  %.86.not.i = icmp eq i32 %.84.i, 0
  br i1 %.86.not.i, label %B138.endif.i, label %B138.if.i, !prof !4

B250.i:                                           ; preds = %B580
  store ptr null, ptr %excinfo.1.i.i, align 8, !noalias !16
  store ptr null, ptr %excinfo.2.i.i, align 8, !noalias !16
  store ptr null, ptr %excinfo.5.i.i, align 8, !noalias !16
  store ptr null, ptr %excinfo.8.i.i, align 8, !noalias !16
  %.26.i.i = getelementptr i8, ptr %.19, i64 120
  %.27.i.i = load i64, ptr %.26.i.i, align 8, !noalias !16
  %.29.i.i = getelementptr i8, ptr %.19, i64 136
  %.30.i.i = load i64, ptr %.29.i.i, align 8, !noalias !16
  %.36.i.i = inttoptr i64 %.27.i.i to ptr
  %.68.i.i = getelementptr i8, ptr %.19, i64 96
  %.69.i.i = load i64, ptr %.68.i.i, align 8, !noalias !16
  %.71.i.i = getelementptr i8, ptr %.19, i64 112
  %.72.i.i = load i64, ptr %.71.i.i, align 8, !noalias !16
  %.78.i.i = inttoptr i64 %.69.i.i to ptr
  %.106.i.i = getelementptr i8, ptr %.19, i64 192
  %.107.i.i = load i64, ptr %.106.i.i, align 8, !noalias !16
  %.109.i.i = getelementptr i8, ptr %.19, i64 208
  %.110.i.i = load i64, ptr %.109.i.i, align 8, !noalias !16
  %.116.i.i = inttoptr i64 %.107.i.i to ptr
  %.157.i.i = getelementptr i8, ptr %.19, i64 360
  %.158.i.i = load i64, ptr %.157.i.i, align 8, !noalias !16
  %.160.i.i = getelementptr i8, ptr %.19, i64 376
  %.161.i.i = load i64, ptr %.160.i.i, align 8, !noalias !16
  %.167.i.i = inttoptr i64 %.158.i.i to ptr
  %.195.i.i = getelementptr i8, ptr %.19, i64 384
  %.196.i.i = load i64, ptr %.195.i.i, align 8, !noalias !16
  %.198.i.i = getelementptr i8, ptr %.19, i64 400
  %.199.i.i = load i64, ptr %.198.i.i, align 8, !noalias !16
  %.205.i.i = inttoptr i64 %.196.i.i to ptr
  %.233.i.i = getelementptr i8, ptr %.19, i64 624
  %.234.i.i = load i64, ptr %.233.i.i, align 8, !noalias !16
  %.243.i.i = inttoptr i64 %.234.i.i to ptr
  %.280.i.i = getelementptr i8, ptr %.19, i64 648
  %.281.i.i = load i64, ptr %.280.i.i, align 8, !noalias !16
  %.290.i.i = inttoptr i64 %.281.i.i to ptr
  %.318.i.i = getelementptr i8, ptr %.19, i64 672
  %.319.i.i = load i64, ptr %.318.i.i, align 8, !noalias !16
  %.321.i.i = getelementptr i8, ptr %.19, i64 688
  %.322.i.i = load i64, ptr %.321.i.i, align 8, !noalias !16
  %.328.i.i = inttoptr i64 %.319.i.i to ptr
  %.356.i.i = getelementptr i8, ptr %.19, i64 696
  %.357.i.i = load i64, ptr %.356.i.i, align 8, !noalias !16
  %.359.i.i = getelementptr i8, ptr %.19, i64 712
  %.360.i.i = load i64, ptr %.359.i.i, align 8, !noalias !16
  %.366.i.i = inttoptr i64 %.357.i.i to ptr
  %.403.i.i = getelementptr i8, ptr %.19, i64 480
  %.404.i.i = load i64, ptr %.403.i.i, align 8, !noalias !16
  %.406.i.i = getelementptr i8, ptr %.19, i64 496
  %.407.i.i = load i64, ptr %.406.i.i, align 8, !noalias !16
  %.413.i.i = inttoptr i64 %.404.i.i to ptr
  %.441.i.i = getelementptr i8, ptr %.19, i64 504
  %.442.i.i = load i64, ptr %.441.i.i, align 8, !noalias !16
  %.444.i.i = getelementptr i8, ptr %.19, i64 520
  %.445.i.i = load i64, ptr %.444.i.i, align 8, !noalias !16
  %.451.i.i = inttoptr i64 %.442.i.i to ptr
  %.479.i.i = getelementptr i8, ptr %.19, i64 456
  %.480.i.i = load i64, ptr %.479.i.i, align 8, !noalias !16
  %.482.i.i = getelementptr i8, ptr %.19, i64 472
  %.483.i.i = load i64, ptr %.482.i.i, align 8, !noalias !16
  %.489.i.i = inttoptr i64 %.480.i.i to ptr
  %.526.i.i = getelementptr i8, ptr %.19, i64 744
  %.527.i.i = load i64, ptr %.526.i.i, align 8, !noalias !16
  %.536.i.i = inttoptr i64 %.527.i.i to ptr
  %.564.i.i = getelementptr i8, ptr %.19, i64 600
  %.565.i.i = load i64, ptr %.564.i.i, align 8, !noalias !16
  %.567.i.i = getelementptr i8, ptr %.19, i64 616
  %.568.i.i = load i64, ptr %.567.i.i, align 8, !noalias !16
  %.574.i.i = inttoptr i64 %.565.i.i to ptr
  store i64 0, ptr %.603.i.i, align 8, !noalias !16
  %.609.i.i = call fastcc i32 @classes.loop_of(ptr %.603.i.i, ptr %excinfo.1.i.i, ptr nonnull %.19, i64 %arg.x)
  %.611.not.i.i = icmp eq i32 %.609.i.i, 0
  %.619.i.i = load i64, ptr %.603.i.i, align 8, !noalias !16
  br i1 %.611.not.i.i, label %B0.endif.i.i, label %B0.if.i.i, !prof !4

B774.i.i:                                         ; preds = %B694.endif.i.i
  %.813.unshifted.i.i = xor i64 %.75144.i.i, %.619.i.i
  %.813.i.i = icmp ult i64 %.813.unshifted.i.i, 8
  %.819.i.i = and i64 %.75144.i.i, 2
  %.822.i.i = icmp eq i64 %.819.i.i, 0
  %"$phi824.0.2.1.i.i" = and i1 %.813.i.i, %.822.i.i
  %.836.i.i = icmp ne i64 %reach.2.042.i.i, %.660.i.i
  %brmerge.not.i.i = select i1 %.836.i.i, i1 %"$phi824.0.2.1.i.i", i1 false
  br i1 %brmerge.not.i.i, label %B844.i.i, label %B842.i.i

B842.i.i:                                         ; preds = %B774.i.i
  %.998.i.i = getelementptr i8, ptr %.19, i64 864
  store i64 %reach.2.042.i.i, ptr %.998.i.i, align 8, !noalias !16
  %.1188.i.i = icmp slt i64 %.199.i.i, 1
  br i1 %.1188.i.i, label %.1254.if.i.i, label %B910.endif.else.endif.endif.endif.i.i, !prof !20

B844.i.i:                                         ; preds = %B774.i.i
  %.877.i.i = load i64, ptr %.73243.i.i, align 8, !noalias !16
  %.904.i.i = icmp slt i64 %.877.i.i, 0
  %.905.i.i = select i1 %.904.i.i, i64 %.30.i.i, i64 0
  %.906.i.i = add i64 %.905.i.i, %.877.i.i
  %.idx.i.i = shl i64 %.906.i.i, 6
  %6 = getelementptr i8, ptr %.36.i.i, i64 %.idx.i.i
  %.930.i.i = getelementptr i8, ptr %6, i64 56
  %.931.i.i = load i64, ptr %.930.i.i, align 8, !noalias !16
  %.933.i.i = add nuw nsw i64 %reach.2.042.i.i, 1
  %.962.i.i = getelementptr i64, ptr %.167.i.i, i64 %.933.i.i
  store i64 %.931.i.i, ptr %.962.i.i, align 8, !noalias !16
  store i64 0, ptr %.735.i.i, align 8, !noalias !16
  %.741.i.i = call fastcc i32 @classes.loop_of(ptr %.735.i.i, ptr %excinfo.2.i.i, ptr %.19, i64 %.931.i.i)
  %.743.not.i.i = icmp eq i32 %.741.i.i, 0
  br i1 %.743.not.i.i, label %B694.endif.i.i, label %B694.if.i.i, !prof !21

B1592.preheader.i.i:                              ; preds = %B2885.i.i
  %.3104.i.i = getelementptr i8, ptr %.19, i64 752
  %.3204.i.i = getelementptr i8, ptr %.19, i64 768
  %.3543.i.i = getelementptr i8, ptr %.19, i64 784
  %.106.i.i.i = getelementptr i8, ptr %.19, i64 336
  %.109.i.i.i = getelementptr i8, ptr %.19, i64 352
  %.3974.i.i = getelementptr i8, ptr %.19, i64 840
  %.49.i.i.i = getelementptr i8, ptr %.19, i64 416
  %.82.i.i.i = getelementptr i8, ptr %.19, i64 424
  %.26.i.i.i = getelementptr i8, ptr %.19, i64 408
  %.63.i.i.i = getelementptr i8, ptr %.19, i64 528
  %.4156.i.i = getelementptr i8, ptr %.19, i64 872
  %.4207.i.i = getelementptr i8, ptr %.19, i64 880
  br label %B1596.i.i

B1130.i.i:                                        ; preds = %B982.if.i.i
  %spec.select.i.i = tail call i64 @llvm.smax.i64(i64 %.1678.i.i, i64 0)
  br label %B1162.i.i

B1162.i.i:                                        ; preds = %states.meet.exit.i.i, %B1130.i.i
  %.1722.0.i.i = phi i64 [ %spec.select.i.i, %B1130.i.i ], [ %.1784.i.i, %states.meet.exit.i.i ]
  %.1719.0.i.i = phi i64 [ %.1508.i.i, %B1130.i.i ], [ %.1788.i.i, %states.meet.exit.i.i ]
  %.1775.i.i = icmp sgt i64 %.1722.0.i.i, 0
  br i1 %.1775.i.i, label %B1162.if.i.i, label %B1376.i.i

B1254.i.i:                                        ; preds = %B982.if.i.i
  %.2005.not.i.i = icmp eq i64 %.1326.053.i.i, 0
  br i1 %.2005.not.i.i, label %B1254.B1376_crit_edge.i.i, label %B1266.i.i

B1254.B1376_crit_edge.i.i:                        ; preds = %B1254.i.i
  %.pre.i.i = tail call i64 @llvm.smax.i64(i64 %.1678.i.i, i64 0)
  br label %B1376.i.i

B1266.i.i:                                        ; preds = %B1254.i.i
  %.2068.i.i = getelementptr i8, ptr %42, i64 -8
  %.2069.i.i = load i64, ptr %.2068.i.i, align 8, !noalias !16
  %.2070.i.i = icmp eq i64 %.1454.i.i, %.2069.i.i
  br i1 %.2070.i.i, label %B2885.i.i, label %B1308.i.i

B1308.i.i:                                        ; preds = %B1266.i.i
  %.2157.i.i = getelementptr i8, ptr %43, i64 48
  %.2158.i.i = load i64, ptr %.2157.i.i, align 8, !noalias !16
  %.2159.i.i = and i64 %.2158.i.i, 1
  %.2160.i.i = icmp ne i64 %.2159.i.i, 0
  %.225649.i.i = icmp sgt i64 %.1678.i.i, 0
  %or.cond.i.i = select i1 %.2160.i.i, i1 %.225649.i.i, i1 false
  br i1 %or.cond.i.i, label %B1408.if.i.i.preheader, label %B2885.i.i

B1376.i.i:                                        ; preds = %B1162.i.i, %B1254.B1376_crit_edge.i.i
  %spec.select21.old.pre-phi.i.i = phi i64 [ %.pre.i.i, %B1254.B1376_crit_edge.i.i ], [ %spec.select.i.i, %B1162.i.i ]
  %.225649.old.not.i.i = icmp slt i64 %.1678.i.i, 1
  br i1 %.225649.old.not.i.i, label %B2885.i.i, label %B1408.if.i.i.preheader

B1408.if.i.i.preheader:                           ; preds = %B1376.i.i, %B1308.i.i
  %.2203.051.i.i.ph = phi i64 [ %spec.select21.old.pre-phi.i.i, %B1376.i.i ], [ %.1678.i.i, %B1308.i.i ]
  br label %B1408.if.i.i

B1408.loopexit.i.i:                               ; preds = %B1476.if.i.i, %vector.body825
  %.2265.i.i = add nsw i64 %.2203.051.i.i, -1
  %.2269.i.i = add i64 %.2200.050.i.i, 1
  %.2256.i.i = icmp sgt i64 %.2203.051.i.i, 1
  br i1 %.2256.i.i, label %B1408.if.i.i, label %B2885.i.i

B1596.i.i:                                        ; preds = %B2887.i.i, %B1592.preheader.i.i
  %n.4.063.i.i = phi i64 [ 0, %B1592.preheader.i.i ], [ %n.5.1.i.i, %B2887.i.i ]
  %.2658.061.i.i = phi i64 [ 0, %B1592.preheader.i.i ], [ %.2728.i.i, %B2887.i.i ]
  %.2728.i.i = add nuw nsw i64 %.2658.061.i.i, 1
  %7 = getelementptr i8, ptr %.205.i.i, i64 %.2658.061.i.i
  %.2786.i.i = load i8, ptr %7, align 1, !noalias !16
  %.2788.i.i = icmp eq i8 %.2786.i.i, 0
  br i1 %.2788.i.i, label %B2887.i.i, label %B1622.i.i

B1622.i.i:                                        ; preds = %B1596.i.i
  %8 = getelementptr i8, ptr %.243.i.i, i64 %.2658.061.i.i
  %.2820.i.i = load i8, ptr %8, align 1, !noalias !16
  %.2821.not.i.i = icmp eq i8 %.2820.i.i, 0
  br i1 %.2821.not.i.i, label %B1640.i.i, label %B2887.i.i

B1640.i.i:                                        ; preds = %B1622.i.i
  %9 = getelementptr i32, ptr %.290.i.i, i64 %.2658.061.i.i
  %.2874.i.i = load i32, ptr %9, align 4, !noalias !16
  %10 = getelementptr i8, ptr %9, i64 4
  %.2906.i.i = load i32, ptr %10, align 4, !noalias !16
  %.2943.i.i = sub i32 %.2906.i.i, %.2874.i.i
  %.298754.not.i.i = icmp slt i32 %.2943.i.i, 1
  br i1 %.298754.not.i.i, label %B2887.i.i, label %B1774.if.i.i

B1808.i.i:                                        ; preds = %B1774.if.i.i
  %.3105.i.i = load i64, ptr %.3104.i.i, align 8, !noalias !16
  %.3106.not.i.i = icmp eq i64 %.3105.i.i, 0
  br i1 %.3106.not.i.i, label %B2246.i.i, label %B1918.i.i

B1918.i.i:                                        ; preds = %B1808.i.i
  %.3124.i.i = select i1 %.3043.i.i, i64 %.322.i.i, i64 0
  %11 = getelementptr i32, ptr %.328.i.i, i64 %103
  %.3138.i.i = getelementptr i32, ptr %11, i64 %.3124.i.i
  %.3139.i.i = load i32, ptr %.3138.i.i, align 4, !noalias !16
  %.3141.i.i = sext i32 %.3139.i.i to i64
  %.3154.i.i = icmp slt i32 %.3139.i.i, 0
  %.3155.i.i = select i1 %.3154.i.i, i64 %.568.i.i, i64 0
  %12 = getelementptr i32, ptr %.574.i.i, i64 %.3155.i.i
  %.3169.i.i = getelementptr i32, ptr %12, i64 %.3141.i.i
  %.3170.i.i = load i32, ptr %.3169.i.i, align 4, !noalias !16
  %.3171.i.i = sext i32 %.3170.i.i to i64
  %.3248.pre.i.i = load i64, ptr %.3204.i.i, align 8, !noalias !16
  %.3250.i.i = icmp slt i64 %.3248.pre.i.i, %.3171.i.i
  br i1 %.3250.i.i, label %B1954.i.i, label %B2246.i.i

B1954.i.i:                                        ; preds = %B1918.i.i
  %.3273.i.i = icmp slt i32 %.3170.i.i, 0
  %.3274.i.i = select i1 %.3273.i.i, i64 %.483.i.i, i64 0
  %13 = getelementptr i8, ptr %.489.i.i, i64 %.3171.i.i
  %.3288.i.i = getelementptr i8, ptr %13, i64 %.3274.i.i
  %.3289.i.i = load i8, ptr %.3288.i.i, align 1, !noalias !16
  %.3293.i.i = zext i8 %.3289.i.i to i64
  %.3318.i.i = getelementptr i8, ptr %.536.i.i, i64 %.3293.i.i
  %.3319.i.i = load i8, ptr %.3318.i.i, align 1, !noalias !16
  %.3321.i.i = icmp eq i8 %.3319.i.i, 0
  br i1 %.3321.i.i, label %B1990.i.i, label %B2136.critedge.i.i

B1990.i.i:                                        ; preds = %B1954.i.i, %B2066.i.i
  %node.3.4.i.i = phi i64 [ %.3359.i.i, %B2066.i.i ], [ %.3171.i.i, %B1954.i.i ]
  %.3340.i.i = icmp slt i64 %node.3.4.i.i, 0
  %.3341.i.i = select i1 %.3340.i.i, i64 %.568.i.i, i64 0
  %14 = getelementptr i32, ptr %.574.i.i, i64 %node.3.4.i.i
  %.3355.i.i = getelementptr i32, ptr %14, i64 %.3341.i.i
  %.3356.i.i = load i32, ptr %.3355.i.i, align 4, !noalias !16
  %.3359.i.i = sext i32 %.3356.i.i to i64
  %.3397.i.i = icmp slt i64 %.3248.pre.i.i, %.3359.i.i
  br i1 %.3397.i.i, label %B2066.i.i, label %B2246.i.i

B2066.i.i:                                        ; preds = %B1990.i.i
  %.3419.i.i = icmp slt i32 %.3356.i.i, 0
  %.3420.i.i = select i1 %.3419.i.i, i64 %.483.i.i, i64 0
  %15 = getelementptr i8, ptr %.489.i.i, i64 %.3420.i.i
  %.3434.i.i = getelementptr i8, ptr %15, i64 %.3359.i.i
  %.3435.i.i = load i8, ptr %.3434.i.i, align 1, !noalias !16
  %.3439.i.i = zext i8 %.3435.i.i to i64
  %.3464.i.i = getelementptr i8, ptr %.536.i.i, i64 %.3439.i.i
  %.3465.i.i = load i8, ptr %.3464.i.i, align 1, !noalias !16
  %.3467.i.i = icmp eq i8 %.3465.i.i, 0
  br i1 %.3467.i.i, label %B1990.i.i, label %B2136.critedge.i.i

B2136.critedge.i.i:                               ; preds = %B2066.i.i, %B1954.i.i
  %.3544.i.i = load i64, ptr %.3543.i.i, align 8, !noalias !16
  %.3545.i.i = icmp eq i64 %.3544.i.i, 0
  br i1 %.3545.i.i, label %B2886.i.i, label %B2172.i.i

B2172.i.i:                                        ; preds = %B2136.critedge.i.i
  %.31.i.i.i = load i64, ptr %.479.i.i, align 8, !noalias !22
  %.34.i.i.i = load i64, ptr %.482.i.i, align 8, !noalias !22
  %.40.i.i.i = inttoptr i64 %.31.i.i.i to ptr
  %.69.i.i.i = load i64, ptr %.564.i.i, align 8, !noalias !22
  %.72.i.i.i = load i64, ptr %.567.i.i, align 8, !noalias !22
  %.78.i.i.i = inttoptr i64 %.69.i.i.i to ptr
  %.107.i.i.i = load i64, ptr %.106.i.i.i, align 8, !noalias !22
  %.110.i.i.i = load i64, ptr %.109.i.i.i, align 8, !noalias !22
  %.116.i.i.i = inttoptr i64 %.107.i.i.i to ptr
  %.212.i.i.i = icmp slt i64 %.3248.pre.i.i, %.3141.i.i
  br i1 %.212.i.i.i, label %B196.i.i.i, label %B304.i.i.i

B196.i.i.i:                                       ; preds = %B2172.i.i, %B196.i.i.i
  %node.2.0.i.i.i = phi i64 [ %.312.i.i.i, %B196.i.i.i ], [ %.3141.i.i, %B2172.i.i ]
  %start.2.0.i.i.i = phi i64 [ %.215.i.i.i, %B196.i.i.i ], [ %.110.i.i.i, %B2172.i.i ]
  %.215.i.i.i = add nsw i64 %start.2.0.i.i.i, -1
  %.234.i.i.i = icmp slt i64 %node.2.0.i.i.i, 0
  %.235.i.i.i = select i1 %.234.i.i.i, i64 %.34.i.i.i, i64 0
  %16 = getelementptr i8, ptr %.40.i.i.i, i64 %node.2.0.i.i.i
  %.249.i.i.i = getelementptr i8, ptr %16, i64 %.235.i.i.i
  %.250.i.i.i = load i8, ptr %.249.i.i.i, align 1, !noalias !22
  %.264.inv.i.i.i = icmp sgt i64 %start.2.0.i.i.i, 0
  %.265.i.i.i = select i1 %.264.inv.i.i.i, i64 0, i64 %.110.i.i.i
  %17 = getelementptr i8, ptr %.116.i.i.i, i64 %.215.i.i.i
  %.279.i.i.i = getelementptr i8, ptr %17, i64 %.265.i.i.i
  store i8 %.250.i.i.i, ptr %.279.i.i.i, align 1, !noalias !22
  %.296.i.i.i = select i1 %.234.i.i.i, i64 %.72.i.i.i, i64 0
  %18 = getelementptr i32, ptr %.78.i.i.i, i64 %node.2.0.i.i.i
  %.310.i.i.i = getelementptr i32, ptr %18, i64 %.296.i.i.i
  %.311.i.i.i = load i32, ptr %.310.i.i.i, align 4, !noalias !22
  %.312.i.i.i = sext i32 %.311.i.i.i to i64
  %.344.i.i.i = load i64, ptr %.3204.i.i, align 8, !noalias !22
  %.345.i.i.i = icmp slt i64 %.344.i.i.i, %.312.i.i.i
  br i1 %.345.i.i.i, label %B196.i.i.i, label %B304.loopexit.i.i.i

B304.loopexit.i.i.i:                              ; preds = %B196.i.i.i
  %.386.pre.i.i.i = load i64, ptr %.109.i.i.i, align 8, !noalias !22
  br label %B304.i.i.i

B304.i.i.i:                                       ; preds = %B304.loopexit.i.i.i, %B2172.i.i
  %.386.i.i.i = phi i64 [ %.110.i.i.i, %B2172.i.i ], [ %.386.pre.i.i.i, %B304.loopexit.i.i.i ]
  %start.3.1.i.i.i = phi i64 [ %.110.i.i.i, %B2172.i.i ], [ %.215.i.i.i, %B304.loopexit.i.i.i ]
  store ptr null, ptr %excinfo.1.i.i.i.i, align 8, !noalias !26
  %.68.i.i.i.i = sub i64 %.386.i.i.i, %start.3.1.i.i.i
  %spec.select.i.i.i.i = tail call i64 @llvm.smax.i64(i64 %.68.i.i.i.i, i64 0)
  br label %B36.i.i.i.i

B36.i.i.i.i:                                      ; preds = %B38.endif.i.i.i.i, %B304.i.i.i
  %.55.0.i.i.i.i = phi i64 [ %start.3.1.i.i.i, %B304.i.i.i ], [ %.130.i.i.i.i, %B38.endif.i.i.i.i ]
  %.58.0.i.i.i.i = phi i64 [ %spec.select.i.i.i.i, %B304.i.i.i ], [ %.126.i.i.i.i, %B38.endif.i.i.i.i ]
  %state.2.0.i.i.i.i = phi i64 [ %arg.x, %B304.i.i.i ], [ %.207.i.i.i.i, %B38.endif.i.i.i.i ]
  %.117.i.i.i.i = icmp sgt i64 %.58.0.i.i.i.i, 0
  br i1 %.117.i.i.i.i, label %B36.if.i.i.i.i, label %B2172.endif.i.i

B36.if.i.i.i.i:                                   ; preds = %B36.i.i.i.i
  %.171.i.i.i.i = icmp slt i64 %.55.0.i.i.i.i, 0
  %.172.i.i.i.i = select i1 %.171.i.i.i.i, i64 %.110.i.i.i, i64 0
  %19 = getelementptr i8, ptr %.116.i.i.i, i64 %.55.0.i.i.i.i
  %.186.i.i.i.i = getelementptr i8, ptr %19, i64 %.172.i.i.i.i
  %.187.i.i.i.i = load i8, ptr %.186.i.i.i.i, align 1, !noalias !26
  %.188.i.i.i.i = zext i8 %.187.i.i.i.i to i64
  store i64 0, ptr %.191.i.i.i.i, align 8, !noalias !26
  %.197.i.i.i.i = call fastcc i32 @states.step(ptr %.191.i.i.i.i, ptr %excinfo.1.i.i.i.i, ptr %.19, i64 %state.2.0.i.i.i.i, i64 %.188.i.i.i.i)
  %.199.not.i.i.i.i = icmp eq i32 %.197.i.i.i.i, 0
  br i1 %.199.not.i.i.i.i, label %B38.endif.i.i.i.i, label %B2172.if.i.i, !prof !4

B38.endif.i.i.i.i:                                ; preds = %B36.if.i.i.i.i
  %.207.i.i.i.i = load i64, ptr %.191.i.i.i.i, align 8, !noalias !26
  %.130.i.i.i.i = add i64 %.55.0.i.i.i.i, 1
  %.126.i.i.i.i = add nsw i64 %.58.0.i.i.i.i, -1
  %.223.i.i.i.i = icmp slt i64 %.207.i.i.i.i, 0
  br i1 %.223.i.i.i.i, label %B2172.endif.i.i, label %B36.i.i.i.i

B2246.i.i:                                        ; preds = %B1990.i.i, %B1918.i.i, %B1808.i.i
  %.3702.i.i = icmp slt i32 %.3059.i.i, 0
  %.3703.i.i = select i1 %.3702.i.i, i64 %.161.i.i, i64 0
  %20 = getelementptr i64, ptr %.167.i.i, i64 %.3703.i.i
  %.3717.i.i = getelementptr i64, ptr %20, i64 %.3061.i.i
  %.3718.i.i = load i64, ptr %.3717.i.i, align 8, !noalias !16
  %.3720.not.i.i = icmp eq i64 %.3718.i.i, %asked.2.259.i.i
  br i1 %.3720.not.i.i, label %B2374.i.i, label %B2282.i.i

B2282.i.i:                                        ; preds = %B2246.i.i
  store i64 0, ptr %.3792.i.i, align 8, !noalias !16
  %.3798.i.i = call fastcc i32 @states.step_once(ptr %.3792.i.i, ptr %excinfo.5.i.i, ptr %.19, i64 %.3718.i.i, i64 %.2658.061.i.i)
  %.3800.not.i.i = icmp eq i32 %.3798.i.i, 0
  br i1 %.3800.not.i.i, label %B2282.endif.i.i, label %B2282.if.i.i, !prof !4

B2374.i.i:                                        ; preds = %B2282.endif.i.i, %B2172.endif.i.i, %B2246.i.i
  %left.5.4.i.i = phi i64 [ %left.3.258.i.i, %B2172.endif.i.i ], [ %.3808.i.i, %B2282.endif.i.i ], [ %left.3.258.i.i, %B2246.i.i ]
  %asked.4.4.i.i = phi i64 [ %asked.2.259.i.i, %B2172.endif.i.i ], [ %.3718.i.i, %B2282.endif.i.i ], [ %asked.2.259.i.i, %B2246.i.i ]
  %after.2.4.i.i = phi i64 [ %.391.0.ph.i.i.i, %B2172.endif.i.i ], [ %.3808.i.i, %B2282.endif.i.i ], [ %left.3.258.i.i, %B2246.i.i ]
  %.3836.i.i = icmp eq i64 %after.2.4.i.i, -3
  br i1 %.3836.i.i, label %B250.endif.i, label %B2418.i.i

B2418.i.i:                                        ; preds = %B2374.i.i
  %.3885.i.i = icmp slt i64 %after.2.4.i.i, 0
  br i1 %.3885.i.i, label %B2886.i.i, label %B2434.i.i

B2434.i.i:                                        ; preds = %B2418.i.i
  %.3923.i.i = select i1 %.3043.i.i, i64 %.322.i.i, i64 0
  %21 = getelementptr i32, ptr %.328.i.i, i64 %103
  %.3937.i.i = getelementptr i32, ptr %21, i64 %.3923.i.i
  %.3938.i.i = load i32, ptr %.3937.i.i, align 4, !noalias !16
  %.3941.i.i = sext i32 %.3938.i.i to i64
  %.3975.i.i = load i64, ptr %.3974.i.i, align 8, !noalias !16
  %.50.i.i.i = load i64, ptr %.49.i.i.i, align 8, !noalias !30
  %.3977.i.i = add i64 %n.3.257.i.i, 1
  %.3978.i.i = add i64 %.3977.i.i, %.3975.i.i
  %.51.i.i.i = add nsw i64 %.3978.i.i, %.50.i.i.i
  %.83.i.i.i = load i64, ptr %.82.i.i.i, align 8, !noalias !30
  %.84.not.i.i.i = icmp sgt i64 %.51.i.i.i, %.83.i.i.i
  br i1 %.84.not.i.i.i, label %B250.endif.sink.split.i, label %B2576.i.i

B2576.i.i:                                        ; preds = %B2434.i.i
  %.4077.i.i = icmp slt i32 %.3938.i.i, 0
  %.4078.i.i = select i1 %.4077.i.i, i64 %.445.i.i, i64 0
  %22 = getelementptr i32, ptr %.451.i.i, i64 %.4078.i.i
  %.4092.i.i = getelementptr i32, ptr %22, i64 %.3941.i.i
  %.4093.i.i = load i32, ptr %.4092.i.i, align 4, !noalias !16
  %.4094.i.i = sext i32 %.4093.i.i to i64
  %.27.i.i.i = load i64, ptr %.26.i.i.i, align 8, !noalias !33
  %.36.i.i.i = inttoptr i64 %.27.i.i.i to ptr
  %.64.i.i.i = load i64, ptr %.63.i.i.i, align 8, !noalias !33
  %.73.i.i.i = inttoptr i64 %.64.i.i.i to ptr
  %.100.i.i.i = icmp sgt i32 %.4093.i.i, -2
  %.113.i.i.i = sub nuw nsw i64 -2, %.4094.i.i
  %"$phi138.0.2.0.i.i.i" = select i1 %.100.i.i.i, i64 %.4094.i.i, i64 %.113.i.i.i
  %.133.i.i.i = icmp sgt i64 %"$phi138.0.2.0.i.i.i", -1
  br i1 %.133.i.i.i, label %B152.i.i.i, label %tokens.several.exit.i.i

B152.i.i.i:                                       ; preds = %B2576.i.i, %B152.i.i.i
  %n.2.0.i.i.i = phi i64 [ %.169.i.i.i, %B152.i.i.i ], [ %n.3.257.i.i, %B2576.i.i ]
  %t.1.2.0.i.i.i = phi i64 [ %.205.i.i.i, %B152.i.i.i ], [ %"$phi138.0.2.0.i.i.i", %B2576.i.i ]
  %.150.i.i.i = icmp slt i64 %n.2.0.i.i.i, 0
  %.151.i.i.i = select i1 %.150.i.i.i, i64 %.83.i.i.i, i64 0
  %23 = getelementptr i32, ptr %.36.i.i.i, i64 %n.2.0.i.i.i
  %.165.i.i.i = getelementptr i32, ptr %23, i64 %.151.i.i.i
  %.166.i.i.i = trunc i64 %t.1.2.0.i.i.i to i32
  store i32 %.166.i.i.i, ptr %.165.i.i.i, align 4, !noalias !33
  %.169.i.i.i = add nsw i64 %n.2.0.i.i.i, 1
  %.203.i.i.i = getelementptr i32, ptr %.73.i.i.i, i64 %t.1.2.0.i.i.i
  %.204.i.i.i = load i32, ptr %.203.i.i.i, align 4, !noalias !33
  %.205.i.i.i = zext i32 %.204.i.i.i to i64
  %.208.i.i.i = icmp sgt i32 %.204.i.i.i, -1
  br i1 %.208.i.i.i, label %B152.i.i.i, label %tokens.several.exit.i.i

tokens.several.exit.i.i:                          ; preds = %B152.i.i.i, %B2576.i.i
  %n.3.1.i.i.i = phi i64 [ %n.3.257.i.i, %B2576.i.i ], [ %.169.i.i.i, %B152.i.i.i ]
  %.4157.i.i = load i64, ptr %.4156.i.i, align 8, !noalias !16
  %.4159.i.i = icmp eq i64 %.4157.i.i, %.3941.i.i
  br i1 %.4159.i.i, label %B2682.i.i, label %B2706.i.i

B2682.i.i:                                        ; preds = %tokens.several.exit.i.i
  store i64 %after.2.4.i.i, ptr %.4207.i.i, align 8, !noalias !16
  br label %B2886.i.i

B2706.i.i:                                        ; preds = %tokens.several.exit.i.i
  %.4231.i.i = select i1 %.4077.i.i, i64 %.407.i.i, i64 0
  %24 = getelementptr i32, ptr %.413.i.i, i64 %.4231.i.i
  %.4245.i.i = getelementptr i32, ptr %24, i64 %.3941.i.i
  %.4246.i.i = load i32, ptr %.4245.i.i, align 4, !noalias !16
  %.4262.i.i = icmp slt i32 %.3938.i.i, -1
  %.4263.i.i = select i1 %.4262.i.i, i64 %.407.i.i, i64 0
  %25 = getelementptr i32, ptr %.413.i.i, i64 %.3941.i.i
  %26 = getelementptr i8, ptr %25, i64 4
  %.4277.i.i = getelementptr i32, ptr %26, i64 %.4263.i.i
  %.4278.i.i = load i32, ptr %.4277.i.i, align 4, !noalias !16
  %.4279.i.i = icmp slt i32 %.4246.i.i, %.4278.i.i
  br i1 %.4279.i.i, label %B2748.i.i, label %B2886.i.i

B2748.i.i:                                        ; preds = %B2706.i.i
  store i64 0, ptr %.4286.i.i, align 8, !noalias !16
  %.4292.i.i = call fastcc i32 @tokens.below(ptr %.4286.i.i, ptr %excinfo.8.i.i, ptr nonnull %.19, i64 %.3941.i.i, i64 %after.2.4.i.i, i64 %n.3.1.i.i.i, i64 0)
  %.4294.not.i.i = icmp eq i32 %.4292.i.i, 0
  br i1 %.4294.not.i.i, label %B2748.endif.i.i, label %B2748.if.i.i, !prof !4

B2885.i.i:                                        ; preds = %B1408.loopexit.i.i, %B1376.i.i, %B1308.i.i, %B1266.i.i
  %.1383.i.i = icmp sgt i64 %.1329.052.i.i, 1
  br i1 %.1383.i.i, label %B982.if.i.i, label %B1592.preheader.i.i

B2886.i.i:                                        ; preds = %B2748.endif.i.i, %B2706.i.i, %B2682.i.i, %B2418.i.i, %B2136.critedge.i.i
  %n.6.3.i.i = phi i64 [ %n.3.257.i.i, %B2418.i.i ], [ %n.3.257.i.i, %B2136.critedge.i.i ], [ %n.3.1.i.i.i, %B2682.i.i ], [ %.4302.i.i, %B2748.endif.i.i ], [ %n.3.1.i.i.i, %B2706.i.i ]
  %left.4.3.i.i = phi i64 [ %left.5.4.i.i, %B2418.i.i ], [ %left.3.258.i.i, %B2136.critedge.i.i ], [ %left.5.4.i.i, %B2682.i.i ], [ %left.5.4.i.i, %B2748.endif.i.i ], [ %left.5.4.i.i, %B2706.i.i ]
  %asked.3.3.i.i = phi i64 [ %asked.4.4.i.i, %B2418.i.i ], [ %asked.2.259.i.i, %B2136.critedge.i.i ], [ %asked.4.4.i.i, %B2682.i.i ], [ %asked.4.4.i.i, %B2748.endif.i.i ], [ %asked.4.4.i.i, %B2706.i.i ]
  %.2987.i.i = icmp sgt i32 %.2933.056.i.i, 1
  br i1 %.2987.i.i, label %B1774.if.i.i, label %B2887.i.i

B2887.i.i:                                        ; preds = %B1774.if.i.i, %B2886.i.i, %B1640.i.i, %B1622.i.i, %B1596.i.i
  %n.5.1.i.i = phi i64 [ %n.4.063.i.i, %B1596.i.i ], [ %n.4.063.i.i, %B1622.i.i ], [ %n.4.063.i.i, %B1640.i.i ], [ %n.3.257.i.i, %B1774.if.i.i ], [ %n.6.3.i.i, %B2886.i.i ]
  %exitcond67.not.i.i = icmp eq i64 %.2728.i.i, 256
  br i1 %exitcond67.not.i.i, label %B250.endif.i, label %B1596.i.i

B0.if.i.i:                                        ; preds = %B250.i
  %.610.i.i = load ptr, ptr %excinfo.1.i.i, align 8, !noalias !16
  br label %B250.if.i

B0.endif.i.i:                                     ; preds = %B250.i
  %.659.i.i = getelementptr i8, ptr %.19, i64 776
  %.660.i.i = load i64, ptr %.659.i.i, align 8, !noalias !16
  store i64 %arg.x, ptr %.167.i.i, align 8, !noalias !16
  store i64 0, ptr %.735.i.i, align 8, !noalias !16
  %.74139.i.i = call fastcc i32 @classes.loop_of(ptr %.735.i.i, ptr %excinfo.2.i.i, ptr nonnull %.19, i64 %arg.x)
  %.743.not40.i.i = icmp eq i32 %.74139.i.i, 0
  br i1 %.743.not40.i.i, label %B694.endif.i.i, label %B694.if.i.i, !prof !36

B694.if.i.i:                                      ; preds = %B844.i.i, %B0.endif.i.i
  %.742.i.i = load ptr, ptr %excinfo.2.i.i, align 8, !noalias !16
  br label %B250.if.i

B694.endif.i.i:                                   ; preds = %B0.endif.i.i, %B844.i.i
  %reach.2.042.i.i = phi i64 [ %.933.i.i, %B844.i.i ], [ 0, %B0.endif.i.i ]
  %.73243.i.i = getelementptr i64, ptr %.167.i.i, i64 %reach.2.042.i.i
  %.75144.i.i = load i64, ptr %.735.i.i, align 8, !noalias !16
  %.765.i.i = icmp eq i64 %.75144.i.i, -3
  br i1 %.765.i.i, label %B250.endif.i, label %B774.i.i

B910.endif.endif.i.i:                             ; preds = %B910.endif.else.endif.endif.endif.i.i
  br label %.1254.endif.preheader.i.i

.1254.endif.preheader.i.i:                        ; preds = %B910.endif.else.endif.endif.endif.i.i, %B910.endif.endif.i.i
  %.1163.sroa.13.076.i.i = phi i64 [ %.199.i.i, %B910.endif.endif.i.i ], [ 256, %B910.endif.else.endif.endif.endif.i.i ]
  tail call void @llvm.memset.p0.i64(ptr align 1 %.205.i.i, i8 0, i64 %.1163.sroa.13.076.i.i, i1 false), !noalias !16
  br label %.1254.if.i.i

B910.endif.else.endif.endif.endif.i.i:            ; preds = %B842.i.i
  %.1205.i.i = icmp ult i64 %.199.i.i, 257
  br i1 %.1205.i.i, label %B910.endif.endif.i.i, label %.1254.endif.preheader.i.i, !prof !37

.1254.if.i.i:                                     ; preds = %.1254.endif.preheader.i.i, %B842.i.i
  %.1302.i.i = add nuw nsw i64 %reach.2.042.i.i, 1
  %scevgep817 = getelementptr i8, ptr %.205.i.i, i64 256
  %scevgep818 = getelementptr i8, ptr %.116.i.i, i64 256
  %27 = getelementptr i8, ptr %.205.i.i, i64 16
  %28 = getelementptr i8, ptr %.205.i.i, i64 32
  %29 = getelementptr i8, ptr %.205.i.i, i64 48
  %30 = getelementptr i8, ptr %.205.i.i, i64 64
  %31 = getelementptr i8, ptr %.205.i.i, i64 80
  %32 = getelementptr i8, ptr %.205.i.i, i64 96
  %33 = getelementptr i8, ptr %.205.i.i, i64 112
  %34 = getelementptr i8, ptr %.205.i.i, i64 128
  %35 = getelementptr i8, ptr %.205.i.i, i64 144
  %36 = getelementptr i8, ptr %.205.i.i, i64 160
  %37 = getelementptr i8, ptr %.205.i.i, i64 176
  %38 = getelementptr i8, ptr %.205.i.i, i64 192
  %39 = getelementptr i8, ptr %.205.i.i, i64 208
  %40 = getelementptr i8, ptr %.205.i.i, i64 224
  %41 = getelementptr i8, ptr %.205.i.i, i64 240
  br label %B982.if.i.i

B982.if.i.i:                                      ; preds = %.1254.if.i.i, %B2885.i.i
  %.1326.053.i.i = phi i64 [ 0, %.1254.if.i.i ], [ %.1396.i.i, %B2885.i.i ]
  %.1329.052.i.i = phi i64 [ %.1302.i.i, %.1254.if.i.i ], [ %.1392.i.i, %B2885.i.i ]
  %.1392.i.i = add nsw i64 %.1329.052.i.i, -1
  %.1396.i.i = add nuw nsw i64 %.1326.053.i.i, 1
  %42 = getelementptr i64, ptr %.167.i.i, i64 %.1326.053.i.i
  %.1454.i.i = load i64, ptr %42, align 8, !noalias !16
  %.1481.i.i = icmp slt i64 %.1454.i.i, 0
  %.1482.i.i = select i1 %.1481.i.i, i64 %.30.i.i, i64 0
  %.1483.i.i = add i64 %.1482.i.i, %.1454.i.i
  %.idx23.i.i = shl i64 %.1483.i.i, 6
  %43 = getelementptr i8, ptr %.36.i.i, i64 %.idx23.i.i
  %.1507.i.i = getelementptr i8, ptr %43, i64 16
  %.1508.i.i = load i64, ptr %.1507.i.i, align 8, !noalias !16
  %.1677.i.i = getelementptr i8, ptr %43, i64 24
  %.1678.i.i = load i64, ptr %.1677.i.i, align 8, !noalias !16
  %.1688.i.i = icmp ne i64 %.1326.053.i.i, %reach.2.042.i.i
  %brmerge2533.i.i = select i1 %.1688.i.i, i1 true, i1 %"$phi824.0.2.1.i.i"
  br i1 %brmerge2533.i.i, label %B1254.i.i, label %B1130.i.i

B1162.if.i.i:                                     ; preds = %B1162.i.i
  %.1827.i.i = icmp slt i64 %.1719.0.i.i, 0
  %.1828.i.i = select i1 %.1827.i.i, i64 %.72.i.i, i64 0
  %44 = getelementptr i64, ptr %.78.i.i, i64 %.1719.0.i.i
  %.1842.i.i = getelementptr i64, ptr %44, i64 %.1828.i.i
  %.1843.i.i = load i64, ptr %.1842.i.i, align 8, !noalias !16
  %.1844.i.i = ashr i64 %.1843.i.i, 32
  %.1863.i.i = icmp slt i64 %.1844.i.i, 0
  %.1864.i.i = select i1 %.1863.i.i, i64 %.110.i.i, i64 0
  %.1865.i.i = add i64 %.1864.i.i, %.1844.i.i
  %.1882.i.i = shl i64 %.1865.i.i, 8
  %.1884.i.i = getelementptr i8, ptr %.116.i.i, i64 %.1882.i.i
  br label %vector.body835

vector.body835:                                   ; preds = %vector.body835, %B1162.if.i.i
  %index836 = phi i64 [ 0, %B1162.if.i.i ], [ %index.next842.1, %vector.body835 ]
  %vec.phi = phi <2 x i64> [ zeroinitializer, %B1162.if.i.i ], [ %63, %vector.body835 ]
  %vec.phi837 = phi <2 x i64> [ zeroinitializer, %B1162.if.i.i ], [ %64, %vector.body835 ]
  %45 = getelementptr i8, ptr %.243.i.i, i64 %index836
  %46 = getelementptr i8, ptr %45, i64 2
  %wide.load838 = load <2 x i8>, ptr %45, align 1, !noalias !38
  %wide.load839 = load <2 x i8>, ptr %46, align 1, !noalias !38
  %47 = getelementptr i8, ptr %.1884.i.i, i64 %index836
  %48 = getelementptr i8, ptr %47, i64 2
  %wide.load840 = load <2 x i8>, ptr %47, align 1, !noalias !38
  %wide.load841 = load <2 x i8>, ptr %48, align 1, !noalias !38
  %49 = and <2 x i8> %wide.load840, %wide.load838
  %50 = and <2 x i8> %wide.load841, %wide.load839
  %51 = zext <2 x i8> %49 to <2 x i64>
  %52 = zext <2 x i8> %50 to <2 x i64>
  %53 = or <2 x i64> %vec.phi, %51
  %54 = or <2 x i64> %vec.phi837, %52
  %index.next842 = or i64 %index836, 4
  %55 = getelementptr i8, ptr %.243.i.i, i64 %index.next842
  %56 = getelementptr i8, ptr %55, i64 2
  %wide.load838.1 = load <2 x i8>, ptr %55, align 1, !noalias !38
  %wide.load839.1 = load <2 x i8>, ptr %56, align 1, !noalias !38
  %57 = getelementptr i8, ptr %.1884.i.i, i64 %index.next842
  %58 = getelementptr i8, ptr %57, i64 2
  %wide.load840.1 = load <2 x i8>, ptr %57, align 1, !noalias !38
  %wide.load841.1 = load <2 x i8>, ptr %58, align 1, !noalias !38
  %59 = and <2 x i8> %wide.load840.1, %wide.load838.1
  %60 = and <2 x i8> %wide.load841.1, %wide.load839.1
  %61 = zext <2 x i8> %59 to <2 x i64>
  %62 = zext <2 x i8> %60 to <2 x i64>
  %63 = or <2 x i64> %53, %61
  %64 = or <2 x i64> %54, %62
  %index.next842.1 = add nuw nsw i64 %index836, 8
  %65 = icmp eq i64 %index.next842.1, 256
  br i1 %65, label %states.meet.exit.i.i, label %vector.body835, !llvm.loop !41

states.meet.exit.i.i:                             ; preds = %vector.body835
  %bin.rdx = or <2 x i64> %64, %63
  %66 = tail call i64 @llvm.vector.reduce.or.v2i64(<2 x i64> %bin.rdx)
  %.1784.i.i = add nsw i64 %.1722.0.i.i, -1
  %.1788.i.i = add i64 %.1719.0.i.i, 1
  %.229.i.not.i.i = icmp eq i64 %66, 0
  br i1 %.229.i.not.i.i, label %B1162.i.i, label %B250.endif.i

B1408.if.i.i:                                     ; preds = %B1408.if.i.i.preheader, %B1408.loopexit.i.i
  %.2203.051.i.i = phi i64 [ %.2265.i.i, %B1408.loopexit.i.i ], [ %.2203.051.i.i.ph, %B1408.if.i.i.preheader ]
  %.2200.050.i.i = phi i64 [ %.2269.i.i, %B1408.loopexit.i.i ], [ %.1508.i.i, %B1408.if.i.i.preheader ]
  %.2307.i.i = icmp slt i64 %.2200.050.i.i, 0
  %.2308.i.i = select i1 %.2307.i.i, i64 %.72.i.i, i64 0
  %67 = getelementptr i64, ptr %.78.i.i, i64 %.2200.050.i.i
  %.2322.i.i = getelementptr i64, ptr %67, i64 %.2308.i.i
  %.2323.i.i = load i64, ptr %.2322.i.i, align 8, !noalias !16
  %.2324.i.i = ashr i64 %.2323.i.i, 32
  %.2343.i.i = icmp slt i64 %.2324.i.i, 0
  %.2344.i.i = select i1 %.2343.i.i, i64 %.110.i.i, i64 0
  %.2345.i.i = add i64 %.2344.i.i, %.2324.i.i
  %.2362.i.i = shl i64 %.2345.i.i, 8
  %.2364.i.i = getelementptr i8, ptr %.116.i.i, i64 %.2362.i.i
  %scevgep819 = getelementptr i8, ptr %scevgep818, i64 %.2362.i.i
  %bound0820 = icmp ugt ptr %scevgep819, %.205.i.i
  %bound1821 = icmp ult ptr %.2364.i.i, %scevgep817
  %found.conflict822 = and i1 %bound0820, %bound1821
  br i1 %found.conflict822, label %B1476.if.i.i, label %vector.body825

vector.body825:                                   ; preds = %B1408.if.i.i
  %wide.load827 = load <16 x i8>, ptr %.205.i.i, align 1, !alias.scope !44, !noalias !47
  %wide.load828 = load <16 x i8>, ptr %27, align 1, !alias.scope !44, !noalias !47
  %68 = getelementptr i8, ptr %.2364.i.i, i64 16
  %wide.load829 = load <16 x i8>, ptr %.2364.i.i, align 1, !alias.scope !49, !noalias !16
  %wide.load830 = load <16 x i8>, ptr %68, align 1, !alias.scope !49, !noalias !16
  %69 = or <16 x i8> %wide.load829, %wide.load827
  %70 = or <16 x i8> %wide.load830, %wide.load828
  store <16 x i8> %69, ptr %.205.i.i, align 1, !alias.scope !44, !noalias !47
  store <16 x i8> %70, ptr %27, align 1, !alias.scope !44, !noalias !47
  %wide.load827.1 = load <16 x i8>, ptr %28, align 1, !alias.scope !44, !noalias !47
  %wide.load828.1 = load <16 x i8>, ptr %29, align 1, !alias.scope !44, !noalias !47
  %71 = getelementptr i8, ptr %.2364.i.i, i64 32
  %72 = getelementptr i8, ptr %.2364.i.i, i64 48
  %wide.load829.1 = load <16 x i8>, ptr %71, align 1, !alias.scope !49, !noalias !16
  %wide.load830.1 = load <16 x i8>, ptr %72, align 1, !alias.scope !49, !noalias !16
  %73 = or <16 x i8> %wide.load829.1, %wide.load827.1
  %74 = or <16 x i8> %wide.load830.1, %wide.load828.1
  store <16 x i8> %73, ptr %28, align 1, !alias.scope !44, !noalias !47
  store <16 x i8> %74, ptr %29, align 1, !alias.scope !44, !noalias !47
  %wide.load827.2 = load <16 x i8>, ptr %30, align 1, !alias.scope !44, !noalias !47
  %wide.load828.2 = load <16 x i8>, ptr %31, align 1, !alias.scope !44, !noalias !47
  %75 = getelementptr i8, ptr %.2364.i.i, i64 64
  %76 = getelementptr i8, ptr %.2364.i.i, i64 80
  %wide.load829.2 = load <16 x i8>, ptr %75, align 1, !alias.scope !49, !noalias !16
  %wide.load830.2 = load <16 x i8>, ptr %76, align 1, !alias.scope !49, !noalias !16
  %77 = or <16 x i8> %wide.load829.2, %wide.load827.2
  %78 = or <16 x i8> %wide.load830.2, %wide.load828.2
  store <16 x i8> %77, ptr %30, align 1, !alias.scope !44, !noalias !47
  store <16 x i8> %78, ptr %31, align 1, !alias.scope !44, !noalias !47
  %wide.load827.3 = load <16 x i8>, ptr %32, align 1, !alias.scope !44, !noalias !47
  %wide.load828.3 = load <16 x i8>, ptr %33, align 1, !alias.scope !44, !noalias !47
  %79 = getelementptr i8, ptr %.2364.i.i, i64 96
  %80 = getelementptr i8, ptr %.2364.i.i, i64 112
  %wide.load829.3 = load <16 x i8>, ptr %79, align 1, !alias.scope !49, !noalias !16
  %wide.load830.3 = load <16 x i8>, ptr %80, align 1, !alias.scope !49, !noalias !16
  %81 = or <16 x i8> %wide.load829.3, %wide.load827.3
  %82 = or <16 x i8> %wide.load830.3, %wide.load828.3
  store <16 x i8> %81, ptr %32, align 1, !alias.scope !44, !noalias !47
  store <16 x i8> %82, ptr %33, align 1, !alias.scope !44, !noalias !47
  %wide.load827.4 = load <16 x i8>, ptr %34, align 1, !alias.scope !44, !noalias !47
  %wide.load828.4 = load <16 x i8>, ptr %35, align 1, !alias.scope !44, !noalias !47
  %83 = getelementptr i8, ptr %.2364.i.i, i64 128
  %84 = getelementptr i8, ptr %.2364.i.i, i64 144
  %wide.load829.4 = load <16 x i8>, ptr %83, align 1, !alias.scope !49, !noalias !16
  %wide.load830.4 = load <16 x i8>, ptr %84, align 1, !alias.scope !49, !noalias !16
  %85 = or <16 x i8> %wide.load829.4, %wide.load827.4
  %86 = or <16 x i8> %wide.load830.4, %wide.load828.4
  store <16 x i8> %85, ptr %34, align 1, !alias.scope !44, !noalias !47
  store <16 x i8> %86, ptr %35, align 1, !alias.scope !44, !noalias !47
  %wide.load827.5 = load <16 x i8>, ptr %36, align 1, !alias.scope !44, !noalias !47
  %wide.load828.5 = load <16 x i8>, ptr %37, align 1, !alias.scope !44, !noalias !47
  %87 = getelementptr i8, ptr %.2364.i.i, i64 160
  %88 = getelementptr i8, ptr %.2364.i.i, i64 176
  %wide.load829.5 = load <16 x i8>, ptr %87, align 1, !alias.scope !49, !noalias !16
  %wide.load830.5 = load <16 x i8>, ptr %88, align 1, !alias.scope !49, !noalias !16
  %89 = or <16 x i8> %wide.load829.5, %wide.load827.5
  %90 = or <16 x i8> %wide.load830.5, %wide.load828.5
  store <16 x i8> %89, ptr %36, align 1, !alias.scope !44, !noalias !47
  store <16 x i8> %90, ptr %37, align 1, !alias.scope !44, !noalias !47
  %wide.load827.6 = load <16 x i8>, ptr %38, align 1, !alias.scope !44, !noalias !47
  %wide.load828.6 = load <16 x i8>, ptr %39, align 1, !alias.scope !44, !noalias !47
  %91 = getelementptr i8, ptr %.2364.i.i, i64 192
  %92 = getelementptr i8, ptr %.2364.i.i, i64 208
  %wide.load829.6 = load <16 x i8>, ptr %91, align 1, !alias.scope !49, !noalias !16
  %wide.load830.6 = load <16 x i8>, ptr %92, align 1, !alias.scope !49, !noalias !16
  %93 = or <16 x i8> %wide.load829.6, %wide.load827.6
  %94 = or <16 x i8> %wide.load830.6, %wide.load828.6
  store <16 x i8> %93, ptr %38, align 1, !alias.scope !44, !noalias !47
  store <16 x i8> %94, ptr %39, align 1, !alias.scope !44, !noalias !47
  %wide.load827.7 = load <16 x i8>, ptr %40, align 1, !alias.scope !44, !noalias !47
  %wide.load828.7 = load <16 x i8>, ptr %41, align 1, !alias.scope !44, !noalias !47
  %95 = getelementptr i8, ptr %.2364.i.i, i64 224
  %96 = getelementptr i8, ptr %.2364.i.i, i64 240
  %wide.load829.7 = load <16 x i8>, ptr %95, align 1, !alias.scope !49, !noalias !16
  %wide.load830.7 = load <16 x i8>, ptr %96, align 1, !alias.scope !49, !noalias !16
  %97 = or <16 x i8> %wide.load829.7, %wide.load827.7
  %98 = or <16 x i8> %wide.load830.7, %wide.load828.7
  store <16 x i8> %97, ptr %40, align 1, !alias.scope !44, !noalias !47
  store <16 x i8> %98, ptr %41, align 1, !alias.scope !44, !noalias !47
  br label %B1408.loopexit.i.i

B1476.if.i.i:                                     ; preds = %B1408.if.i.i, %B1476.if.i.i
  %.2419.047.i.i = phi i64 [ %.2488.i.i.3, %B1476.if.i.i ], [ 0, %B1408.if.i.i ]
  %.2488.i.i = or i64 %.2419.047.i.i, 1
  %99 = getelementptr i8, ptr %.205.i.i, i64 %.2419.047.i.i
  %.2542.i.i = load i8, ptr %99, align 1, !noalias !16
  %.2571.i.i = getelementptr i8, ptr %.2364.i.i, i64 %.2419.047.i.i
  %.2572.i.i = load i8, ptr %.2571.i.i, align 1, !noalias !16
  %.25752532.i.i = or i8 %.2572.i.i, %.2542.i.i
  store i8 %.25752532.i.i, ptr %99, align 1, !noalias !16
  %.2488.i.i.1 = or i64 %.2419.047.i.i, 2
  %100 = getelementptr i8, ptr %.205.i.i, i64 %.2488.i.i
  %.2542.i.i.1 = load i8, ptr %100, align 1, !noalias !16
  %.2571.i.i.1 = getelementptr i8, ptr %.2364.i.i, i64 %.2488.i.i
  %.2572.i.i.1 = load i8, ptr %.2571.i.i.1, align 1, !noalias !16
  %.25752532.i.i.1 = or i8 %.2572.i.i.1, %.2542.i.i.1
  store i8 %.25752532.i.i.1, ptr %100, align 1, !noalias !16
  %.2488.i.i.2 = or i64 %.2419.047.i.i, 3
  %101 = getelementptr i8, ptr %.205.i.i, i64 %.2488.i.i.1
  %.2542.i.i.2 = load i8, ptr %101, align 1, !noalias !16
  %.2571.i.i.2 = getelementptr i8, ptr %.2364.i.i, i64 %.2488.i.i.1
  %.2572.i.i.2 = load i8, ptr %.2571.i.i.2, align 1, !noalias !16
  %.25752532.i.i.2 = or i8 %.2572.i.i.2, %.2542.i.i.2
  store i8 %.25752532.i.i.2, ptr %101, align 1, !noalias !16
  %.2488.i.i.3 = add nuw nsw i64 %.2419.047.i.i, 4
  %102 = getelementptr i8, ptr %.205.i.i, i64 %.2488.i.i.2
  %.2542.i.i.3 = load i8, ptr %102, align 1, !noalias !16
  %.2571.i.i.3 = getelementptr i8, ptr %.2364.i.i, i64 %.2488.i.i.2
  %.2572.i.i.3 = load i8, ptr %.2571.i.i.3, align 1, !noalias !16
  %.25752532.i.i.3 = or i8 %.2572.i.i.3, %.2542.i.i.3
  store i8 %.25752532.i.i.3, ptr %102, align 1, !noalias !16
  %exitcond.not.i.i.3 = icmp eq i64 %.2488.i.i.3, 256
  br i1 %exitcond.not.i.i.3, label %B1408.loopexit.i.i, label %B1476.if.i.i, !llvm.loop !50

B1774.if.i.i:                                     ; preds = %B1640.i.i, %B2886.i.i
  %asked.2.259.i.i = phi i64 [ %asked.3.3.i.i, %B2886.i.i ], [ -1, %B1640.i.i ]
  %left.3.258.i.i = phi i64 [ %left.4.3.i.i, %B2886.i.i ], [ -1, %B1640.i.i ]
  %n.3.257.i.i = phi i64 [ %n.6.3.i.i, %B2886.i.i ], [ %n.4.063.i.i, %B1640.i.i ]
  %.2933.056.i.i = phi i32 [ %.2996.i.i, %B2886.i.i ], [ %.2943.i.i, %B1640.i.i ]
  %.2930.055.i.i = phi i32 [ %.3000.i.i, %B2886.i.i ], [ %.2874.i.i, %B1640.i.i ]
  %.2996.i.i = add nsw i32 %.2933.056.i.i, -1
  %.3000.i.i = add i32 %.2930.055.i.i, 1
  %103 = sext i32 %.2930.055.i.i to i64
  %.3043.i.i = icmp slt i32 %.2930.055.i.i, 0
  %.3044.i.i = select i1 %.3043.i.i, i64 %.360.i.i, i64 0
  %104 = getelementptr i32, ptr %.366.i.i, i64 %103
  %.3058.i.i = getelementptr i32, ptr %104, i64 %.3044.i.i
  %.3059.i.i = load i32, ptr %.3058.i.i, align 4, !noalias !16
  %.3061.i.i = sext i32 %.3059.i.i to i64
  %.3062.i.i = icmp slt i64 %reach.2.042.i.i, %.3061.i.i
  br i1 %.3062.i.i, label %B2887.i.i, label %B1808.i.i

B2172.if.i.i:                                     ; preds = %B36.if.i.i.i.i
  %.198.i.i.i.i = load ptr, ptr %excinfo.1.i.i.i.i, align 8, !noalias !26
  br label %B250.if.i

B2172.endif.i.i:                                  ; preds = %B38.endif.i.i.i.i, %B36.i.i.i.i
  %.391.0.ph.i.i.i = phi i64 [ %.207.i.i.i.i, %B38.endif.i.i.i.i ], [ %state.2.0.i.i.i.i, %B36.i.i.i.i ]
  br label %B2374.i.i

B2282.if.i.i:                                     ; preds = %B2282.i.i
  %.3799.i.i = load ptr, ptr %excinfo.5.i.i, align 8, !noalias !16
  br label %B250.if.i

B2282.endif.i.i:                                  ; preds = %B2282.i.i
  %.3808.i.i = load i64, ptr %.3792.i.i, align 8, !noalias !16
  br label %B2374.i.i

B2748.if.i.i:                                     ; preds = %B2748.i.i
  %.4293.i.i = load ptr, ptr %excinfo.8.i.i, align 8, !noalias !16
  br label %B250.if.i

B2748.endif.i.i:                                  ; preds = %B2748.i.i
  %.4302.i.i = load i64, ptr %.4286.i.i, align 8, !noalias !16
  %.4320.i.i = icmp eq i64 %.4302.i.i, -3
  br i1 %.4320.i.i, label %B250.endif.sink.split.i, label %B2886.i.i

B304.i:                                           ; preds = %B580
  store i64 0, ptr %.1324.i.i, align 8, !noalias !51
  store i64 0, ptr %.2081.i.i, align 8, !noalias !51
  store ptr null, ptr %excinfo.11.i.i, align 8, !noalias !51
  store i64 0, ptr %.2132.i.i, align 8, !noalias !51
  store ptr null, ptr %excinfo.12.i.i, align 8, !noalias !51
  %.29.i182.i = getelementptr i8, ptr %.19, i64 120
  %.30.i183.i = load i64, ptr %.29.i182.i, align 8, !noalias !51
  %.32.i.i = getelementptr i8, ptr %.19, i64 136
  %.33.i.i = load i64, ptr %.32.i.i, align 8, !noalias !51
  %.39.i.i = inttoptr i64 %.30.i183.i to ptr
  %.93.i.i = icmp slt i64 %arg.x, 0
  %.94.i.i = select i1 %.93.i.i, i64 %.33.i.i, i64 0
  %.95.i.i = add i64 %.94.i.i, %arg.x
  %.idx.i184.i = shl i64 %.95.i.i, 6
  %105 = getelementptr i8, ptr %.39.i.i, i64 %.idx.i184.i
  %.119.i.i = getelementptr i8, ptr %105, i64 32
  %.120.i.i = load i64, ptr %.119.i.i, align 8, !noalias !51
  %.121.i.i = and i64 %.120.i.i, 4
  %.130.i.i = getelementptr i8, ptr %.19, i64 792
  %.131.i.i = load i64, ptr %.130.i.i, align 8, !noalias !51
  %.133.i.i = getelementptr i8, ptr %.19, i64 808
  %.134.i.i = load i64, ptr %.133.i.i, align 8, !noalias !51
  %.140.i.i = inttoptr i64 %.131.i.i to ptr
  %.174.i.i = getelementptr i8, ptr %.19, i64 456
  %.175.i.i = load i64, ptr %.174.i.i, align 8, !noalias !51
  %.177.i.i = getelementptr i8, ptr %.19, i64 472
  %.178.i.i = load i64, ptr %.177.i.i, align 8, !noalias !51
  %.184.i.i = inttoptr i64 %.175.i.i to ptr
  %.212.i.i = getelementptr i8, ptr %.19, i64 480
  %.213.i.i = load i64, ptr %.212.i.i, align 8, !noalias !51
  %.215.i.i = getelementptr i8, ptr %.19, i64 496
  %.216.i.i = load i64, ptr %.215.i.i, align 8, !noalias !51
  %.222.i.i = inttoptr i64 %.213.i.i to ptr
  %.250.i.i = getelementptr i8, ptr %.19, i64 504
  %.251.i.i = load i64, ptr %.250.i.i, align 8, !noalias !51
  %.253.i.i = getelementptr i8, ptr %.19, i64 520
  %.254.i.i = load i64, ptr %.253.i.i, align 8, !noalias !51
  %.260.i.i = inttoptr i64 %.251.i.i to ptr
  %.297.i.i = getelementptr i8, ptr %.19, i64 432
  %.298.i.i = load i64, ptr %.297.i.i, align 8, !noalias !51
  %.300.i.i = getelementptr i8, ptr %.19, i64 448
  %.301.i.i = load i64, ptr %.300.i.i, align 8, !noalias !51
  %.307.i.i = inttoptr i64 %.298.i.i to ptr
  %.335.i.i = getelementptr i8, ptr %.19, i64 408
  %.336.i.i = load i64, ptr %.335.i.i, align 8, !noalias !51
  %.338.i.i = getelementptr i8, ptr %.19, i64 424
  %.339.i.i = load i64, ptr %.338.i.i, align 8, !noalias !51
  %.345.i.i = inttoptr i64 %.336.i.i to ptr
  %.373.i.i = getelementptr i8, ptr %.19, i64 384
  %.374.i.i = load i64, ptr %.373.i.i, align 8, !noalias !51
  %.383.i.i = inttoptr i64 %.374.i.i to ptr
  br i1 %.427, label %B648.thread.i.i, label %B648.i.i

B648.thread.i.i:                                  ; preds = %B304.i
  %.610.i228.i = shl i64 %arg.x, 32
  %.614.i.i = add nsw i64 %arg.y, 1
  %.617.i.i = or i64 %.614.i.i, %.610.i228.i
  store i64 0, ptr %.307.i.i, align 8, !noalias !51
  %.676.i.i = getelementptr i8, ptr %.307.i.i, i64 8
  store i64 %.617.i.i, ptr %.676.i.i, align 8, !noalias !51
  br label %B662.preheader.i.i

B648.i.i:                                         ; preds = %B304.i
  %.493.i.i = add nsw i64 %.426, -1
  %.522.i.i = getelementptr i8, ptr %.19, i64 896
  %.523.i.i = load i64, ptr %.522.i.i, align 8, !noalias !51
  %.552.i.i = getelementptr i8, ptr %.19, i64 904
  %.553.i.i = load i64, ptr %.552.i.i, align 8, !noalias !51
  store i64 0, ptr %.425, align 8, !noalias !51
  %.699.not.i.i = icmp sgt i64 %.426, %.523.i.i
  br i1 %.699.not.i.i, label %B304.endif.i, label %B662.preheader.i.i

B662.preheader.i.i:                               ; preds = %B648.i.i, %B648.thread.i.i
  %front.3.0163.i.i = phi i64 [ 0, %B648.thread.i.i ], [ %.493.i.i, %B648.i.i ]
  %size.3.0162.i.i = phi i64 [ 2, %B648.thread.i.i ], [ %.523.i.i, %B648.i.i ]
  %n.4.0161.i.i = phi i64 [ 0, %B648.thread.i.i ], [ %.553.i.i, %B648.i.i ]
  %.912.i.i = getelementptr i8, ptr %.19, i64 840
  %.49.i.i185.i = getelementptr i8, ptr %.19, i64 416
  %.49.i1614.i.i = getelementptr i8, ptr %.19, i64 440
  %.67.i.i.i = getelementptr i8, ptr %.19, i64 96
  %.70.i.i.i = getelementptr i8, ptr %.19, i64 112
  %.104.i.i.i = getelementptr i8, ptr %.19, i64 192
  %.107.i.i186.i = getelementptr i8, ptr %.19, i64 208
  %.157.i.i.i = getelementptr i8, ptr %.19, i64 400
  %.191.i.i.i = getelementptr i8, ptr %.19, i64 360
  %.194.i.i.i = getelementptr i8, ptr %.19, i64 376
  %.63.i.i187.i = getelementptr i8, ptr %.19, i64 528
  br label %B662.i.i

B662.i.i:                                         ; preds = %B2498.i.i, %B662.preheader.i.i
  %n.3.0.i.i = phi i64 [ %n.5.1.lcssa.i.i, %B2498.i.i ], [ %n.4.0161.i.i, %B662.preheader.i.i ]
  %size.4.0.i.i = phi i64 [ %size.5.1.lcssa.i.i, %B2498.i.i ], [ %size.3.0162.i.i, %B662.preheader.i.i ]
  %front.4.0.i.i = phi i64 [ %.2724.i.i, %B2498.i.i ], [ %front.3.0163.i.i, %B662.preheader.i.i ]
  %.724.i.i = icmp slt i64 %front.4.0.i.i, 0
  %.725.i.i = select i1 %.724.i.i, i64 %.301.i.i, i64 0
  %106 = getelementptr i64, ptr %.307.i.i, i64 %front.4.0.i.i
  %.739.i.i = getelementptr i64, ptr %106, i64 %.725.i.i
  %.740.i.i = load i64, ptr %.739.i.i, align 8, !noalias !51
  %.756.i.i = icmp slt i64 %front.4.0.i.i, -1
  %.757.i.i = select i1 %.756.i.i, i64 %.301.i.i, i64 0
  %107 = getelementptr i8, ptr %106, i64 8
  %.771.i.i = getelementptr i64, ptr %107, i64 %.757.i.i
  %.772.i.i = load i64, ptr %.771.i.i, align 8, !noalias !51
  %.773.i.i = ashr i64 %.772.i.i, 32
  %.806.i.i = and i64 %.772.i.i, 4294967295
  %.807.i.i = add nsw i64 %.806.i.i, -1
  %.827.i.i = icmp slt i64 %.740.i.i, 0
  %.828.i.i = select i1 %.827.i.i, i64 %.216.i.i, i64 0
  %108 = getelementptr i32, ptr %.222.i.i, i64 %.740.i.i
  %.842.i.i = getelementptr i32, ptr %108, i64 %.828.i.i
  %.843.i.i = load i32, ptr %.842.i.i, align 4, !noalias !51
  %.844.i.i = sext i32 %.843.i.i to i64
  %.859.i.i = icmp slt i64 %.740.i.i, -1
  %.860.i.i = select i1 %.859.i.i, i64 %.216.i.i, i64 0
  %109 = getelementptr i8, ptr %108, i64 4
  %.874.i.i = getelementptr i32, ptr %109, i64 %.860.i.i
  %.875.i.i = load i32, ptr %.874.i.i, align 4, !noalias !51
  %.876.i.i = sext i32 %.875.i.i to i64
  %.913.i.i = load i64, ptr %.912.i.i, align 8, !noalias !51
  %.916.i.i = sub nsw i64 %.876.i.i, %.844.i.i
  %.917.i.i = mul nsw i64 %.916.i.i, %.913.i.i
  %.50.i.i188.i = load i64, ptr %.49.i.i185.i, align 8, !noalias !55
  %.919.i.i = add i64 %.50.i.i188.i, %n.3.0.i.i
  %.51.i.i189.i = add i64 %.919.i.i, %.917.i.i
  %.83.i.i190.i = load i64, ptr %.338.i.i, align 8, !noalias !55
  %.84.not.i.i191.i = icmp sgt i64 %.51.i.i189.i, %.83.i.i190.i
  br i1 %.84.not.i.i191.i, label %B914.i.i, label %B950.i.i

B914.i.i:                                         ; preds = %B662.i.i
  %.122.i.i226.i = getelementptr i8, ptr %.19, i64 816
  store i64 51, ptr %.122.i.i226.i, align 8, !noalias !55
  br label %B304.endif.sink.split.i

B950.i.i:                                         ; preds = %B662.i.i
  %.1030.i.i = shl nsw i64 %.916.i.i, 1
  %.1032.i.i = add nsw i64 %.1030.i.i, %size.4.0.i.i
  %.50.i1615.i.i = load i64, ptr %.49.i1614.i.i, align 8, !noalias !58
  %.51.i1616.i.i = add nsw i64 %.1032.i.i, %.50.i1615.i.i
  %.83.i1618.i.i = load i64, ptr %.300.i.i, align 8, !noalias !58
  %.84.not.i1619.i.i = icmp sgt i64 %.51.i1616.i.i, %.83.i1618.i.i
  br i1 %.84.not.i1619.i.i, label %B1012.i.i, label %B1064.if.preheader.i.i

B1064.if.preheader.i.i:                           ; preds = %B950.i.i
  %.1223.i.i = icmp sgt i64 %.773.i.i, -1
  br i1 %.1223.i.i, label %B1080.i.i, label %B1240.i.i

B1012.i.i:                                        ; preds = %B950.i.i
  %.122.i1622.i.i = getelementptr i8, ptr %.19, i64 816
  store i64 54, ptr %.122.i1622.i.i, align 8, !noalias !58
  br label %B304.endif.sink.split.i

B1080.i.i:                                        ; preds = %B1064.if.preheader.i.i
  %arg.m.4.val.i.i = load i64, ptr %.29.i182.i, align 8, !noalias !51
  %.33.i.i.i = inttoptr i64 %arg.m.4.val.i.i to ptr
  %.113.idx.i.i.i = shl nuw nsw i64 %.773.i.i, 6
  %.113.i.i225.i = getelementptr i8, ptr %.33.i.i.i, i64 %.113.idx.i.i.i
  %.114.i.i.i = load i64, ptr %.113.i.i225.i, align 8, !noalias !61
  %.115.not.i.i.i = icmp eq i64 %.114.i.i.i, -4
  br i1 %.115.not.i.i.i, label %states.first_time.exit.i.i, label %B1112.i.i

states.first_time.exit.i.i:                       ; preds = %B1080.i.i
  store i64 -5, ptr %.113.i.i225.i, align 8, !noalias !61
  br label %B1240.i.i

B1112.i.i:                                        ; preds = %B1080.i.i
  %.1317.i.i = getelementptr i8, ptr %.39.i.i, i64 %.113.idx.i.i.i
  %.1318.i.i = load i64, ptr %.1317.i.i, align 8, !noalias !51
  %.1319.i.i = icmp slt i64 %.1318.i.i, 0
  br i1 %.1319.i.i, label %B1150.i.i, label %B1240.i.i

B1150.i.i:                                        ; preds = %B1112.i.i
  store i64 0, ptr %.1324.i.i, align 8, !noalias !51
  call fastcc void @states.new_row(ptr %.1324.i.i, ptr nonnull %.19, i64 %.773.i.i)
  %.1340.i.i = load i64, ptr %.1324.i.i, align 8, !noalias !51
  %.1352.i.i = icmp eq i64 %.1340.i.i, -3
  br i1 %.1352.i.i, label %B304.endif.sink.split.i, label %B1240.i.i

B1240.i.i:                                        ; preds = %B1150.i.i, %B1112.i.i, %states.first_time.exit.i.i, %B1064.if.preheader.i.i
  %.1223.1.not.i.i = icmp eq i64 %.806.i.i, 0
  br i1 %.1223.1.not.i.i, label %B1240.1.i.i, label %B1080.1.i.i

B1080.1.i.i:                                      ; preds = %B1240.i.i
  %arg.m.4.val.1.i.i = load i64, ptr %.29.i182.i, align 8, !noalias !51
  %.33.i.1.i.i = inttoptr i64 %arg.m.4.val.1.i.i to ptr
  %.113.idx.i.1.i.i = shl nuw nsw i64 %.807.i.i, 6
  %.113.i.1.i.i = getelementptr i8, ptr %.33.i.1.i.i, i64 %.113.idx.i.1.i.i
  %.114.i.1.i.i = load i64, ptr %.113.i.1.i.i, align 8, !noalias !61
  %.115.not.i.1.i.i = icmp eq i64 %.114.i.1.i.i, -4
  br i1 %.115.not.i.1.i.i, label %states.first_time.exit.1.i.i, label %B1112.1.i.i

B1112.1.i.i:                                      ; preds = %B1080.1.i.i
  %.1317.1.i.i = getelementptr i8, ptr %.39.i.i, i64 %.113.idx.i.1.i.i
  %.1318.1.i.i = load i64, ptr %.1317.1.i.i, align 8, !noalias !51
  %.1319.1.i.i = icmp slt i64 %.1318.1.i.i, 0
  br i1 %.1319.1.i.i, label %B1150.1.i.i, label %B1240.1.i.i

B1150.1.i.i:                                      ; preds = %B1112.1.i.i
  store i64 0, ptr %.1324.i.i, align 8, !noalias !51
  call fastcc void @states.new_row(ptr %.1324.i.i, ptr nonnull %.19, i64 %.807.i.i)
  %.1340.1.i.i = load i64, ptr %.1324.i.i, align 8, !noalias !51
  %.1352.1.i.i = icmp eq i64 %.1340.1.i.i, -3
  br i1 %.1352.1.i.i, label %B304.endif.sink.split.i, label %B1240.1.i.i

states.first_time.exit.1.i.i:                     ; preds = %B1080.1.i.i
  store i64 -5, ptr %.113.i.1.i.i, align 8, !noalias !61
  br label %B1240.1.i.i

B1240.1.i.i:                                      ; preds = %states.first_time.exit.1.i.i, %B1150.1.i.i, %B1112.1.i.i, %B1240.i.i
  %.27.i.i192.i = load i64, ptr %.29.i182.i, align 8, !noalias !64
  %.36.i.i193.i = inttoptr i64 %.27.i.i192.i to ptr
  %.68.i.i.i = load i64, ptr %.67.i.i.i, align 8, !noalias !64
  %.71.i.i.i = load i64, ptr %.70.i.i.i, align 8, !noalias !64
  %.77.i.i.i = inttoptr i64 %.68.i.i.i to ptr
  %.105.i.i.i = load i64, ptr %.104.i.i.i, align 8, !noalias !64
  %.108.i.i.i = load i64, ptr %.107.i.i186.i, align 8, !noalias !64
  %.114.i1632.i.i = inttoptr i64 %.105.i.i.i to ptr
  %.155.i.i.i = load i64, ptr %.373.i.i, align 8, !noalias !64
  %.158.i.i.i = load i64, ptr %.157.i.i.i, align 8, !noalias !64
  %.164.i.i.i = inttoptr i64 %.155.i.i.i to ptr
  %.192.i.i.i = load i64, ptr %.191.i.i.i, align 8, !noalias !64
  %.195.i.i.i = load i64, ptr %.194.i.i.i, align 8, !noalias !64
  %.201.i.i.i = inttoptr i64 %.192.i.i.i to ptr
  %.228.i.i.i = icmp slt i64 %.773.i.i, 0
  %or.cond.i.i.i = or i1 %.228.i.i.i, %.1223.1.not.i.i
  %.433.i.i.i = icmp slt i64 %.158.i.i.i, 1
  br i1 %or.cond.i.i.i, label %B238.else.endif.i.i.i, label %B256.else.endif.i.i.i

B538.i.i.i:                                       ; preds = %.804.if.i.i.i, %B808.i.i.i
  %i.4.0.i.i.i = phi i64 [ %i.5.2.i.i.i, %B808.i.i.i ], [ %.905.i.i.i, %.804.if.i.i.i ]
  %j.6.0.i.i.i = phi i64 [ %j.7.2.i.i.i, %B808.i.i.i ], [ %.1083.i.i.i, %.804.if.i.i.i ]
  %theirs.3.0.i.i.i = phi i64 [ %theirs.4.2.i.i.i, %B808.i.i.i ], [ 0, %.804.if.i.i.i ]
  %mine.2.0.i.i.i = phi i64 [ %mine.3.2.i.i.i, %B808.i.i.i ], [ 0, %.804.if.i.i.i ]
  %.1273.i.i.i = icmp slt i64 %i.4.0.i.i.i, %.1018.i.i.i
  %.1277.i.i.i = icmp slt i64 %j.6.0.i.i.i, %.1198.i.i.i
  %or.cond1394.i.i.i = select i1 %.1273.i.i.i, i1 %.1277.i.i.i, i1 false
  br i1 %or.cond1394.i.i.i, label %B562.i.i.i, label %B620.i.i.i

B562.i.i.i:                                       ; preds = %B538.i.i.i
  %.1293.i.i.i = icmp slt i64 %i.4.0.i.i.i, 0
  %.1294.i.i.i = select i1 %.1293.i.i.i, i64 %.71.i.i.i, i64 0
  %110 = getelementptr i64, ptr %.77.i.i.i, i64 %i.4.0.i.i.i
  %.1308.i.i.i = getelementptr i64, ptr %110, i64 %.1294.i.i.i
  %.1309.i.i.i = load i64, ptr %.1308.i.i.i, align 8, !noalias !64
  %.1324.i.i.i = icmp slt i64 %j.6.0.i.i.i, 0
  %.1325.i.i.i = select i1 %.1324.i.i.i, i64 %.71.i.i.i, i64 0
  %111 = getelementptr i64, ptr %.77.i.i.i, i64 %j.6.0.i.i.i
  %.1339.i.i.i = getelementptr i64, ptr %111, i64 %.1325.i.i.i
  %.1340.i.i.i = load i64, ptr %.1339.i.i.i, align 8, !noalias !64
  %.1341.i.i.i = icmp eq i64 %.1309.i.i.i, %.1340.i.i.i
  br i1 %.1341.i.i.i, label %B598.i.i.i, label %B620.i.i.i

B598.i.i.i:                                       ; preds = %B562.i.i.i
  %.1356.i.i.i = add nsw i64 %i.4.0.i.i.i, 1
  %.1363.i.i.i = add nsw i64 %j.6.0.i.i.i, 1
  br label %B808.i.i.i

B620.i.i.i:                                       ; preds = %B562.i.i.i, %B538.i.i.i
  %.1372.i.i.i = add nsw i64 %mine.2.0.i.i.i, %theirs.3.0.i.i.i
  %.1373.i.i.i = icmp eq i64 %.1372.i.i.i, 256
  br i1 %.1373.i.i.i, label %B638.else.endif.i.i.i, label %B656.i.i.i

B656.i.i.i:                                       ; preds = %B620.i.i.i
  %.1700.i.i.i = icmp eq i64 %j.6.0.i.i.i, %.1198.i.i.i
  br i1 %.1700.i.i.i, label %B716.i.i.i, label %B668.i.i.i

B668.i.i.i:                                       ; preds = %B656.i.i.i
  br i1 %.1273.i.i.i, label %B680.i.i.i, label %B760.i.i.i

B680.i.i.i:                                       ; preds = %B668.i.i.i
  %.1720.i.i.i = icmp slt i64 %i.4.0.i.i.i, 0
  %.1721.i.i.i = select i1 %.1720.i.i.i, i64 %.71.i.i.i, i64 0
  %112 = getelementptr i64, ptr %.77.i.i.i, i64 %i.4.0.i.i.i
  %.1735.i.i.i = getelementptr i64, ptr %112, i64 %.1721.i.i.i
  %.1736.i.i.i = load i64, ptr %.1735.i.i.i, align 8, !noalias !64
  %.1751.i.i.i = icmp slt i64 %j.6.0.i.i.i, 0
  %.1752.i.i.i = select i1 %.1751.i.i.i, i64 %.71.i.i.i, i64 0
  %113 = getelementptr i64, ptr %.77.i.i.i, i64 %j.6.0.i.i.i
  %.1766.i.i.i = getelementptr i64, ptr %113, i64 %.1752.i.i.i
  %.1767.i.i.i = load i64, ptr %.1766.i.i.i, align 8, !noalias !64
  %.1768.i.i.i = icmp slt i64 %.1736.i.i.i, %.1767.i.i.i
  br i1 %.1768.i.i.i, label %B716.i.i.i, label %B760.i.i.i

B716.i.i.i:                                       ; preds = %B656.i.i.i, %B680.i.i.i
  %.1794.i.i.i = icmp slt i64 %i.4.0.i.i.i, 0
  %.1795.i.i.i = select i1 %.1794.i.i.i, i64 %.71.i.i.i, i64 0
  %114 = getelementptr i64, ptr %.77.i.i.i, i64 %i.4.0.i.i.i
  %.1809.i.i.i = getelementptr i64, ptr %114, i64 %.1795.i.i.i
  %.1810.i.i.i = load i64, ptr %.1809.i.i.i, align 8, !noalias !64
  %.1825.i.i.i = icmp slt i64 %mine.2.0.i.i.i, 0
  %.1826.i.i.i = select i1 %.1825.i.i.i, i64 %.195.i.i.i, i64 0
  %115 = getelementptr i64, ptr %.201.i.i.i, i64 %mine.2.0.i.i.i
  %.1840.i.i.i = getelementptr i64, ptr %115, i64 %.1826.i.i.i
  store i64 %.1810.i.i.i, ptr %.1840.i.i.i, align 8, !noalias !64
  %.1843.i.i.i = add nsw i64 %i.4.0.i.i.i, 1
  %.1847.i.i.i = add i64 %mine.2.0.i.i.i, 1
  br label %B808.i.i.i

B760.i.i.i:                                       ; preds = %B668.i.i.i, %B680.i.i.i
  %.1879.i.i.i = icmp slt i64 %j.6.0.i.i.i, 0
  %.1880.i.i.i = select i1 %.1879.i.i.i, i64 %.71.i.i.i, i64 0
  %116 = getelementptr i64, ptr %.77.i.i.i, i64 %j.6.0.i.i.i
  %.1894.i.i.i = getelementptr i64, ptr %116, i64 %.1880.i.i.i
  %.1895.i.i.i = load i64, ptr %.1894.i.i.i, align 8, !noalias !64
  %.1911.i.i.i = icmp sgt i64 %theirs.3.0.i.i.i, 256
  %.1912.i.i.i = select i1 %.1911.i.i.i, i64 %.195.i.i.i, i64 0
  %reass.sub.i.i.i = sub i64 %.1912.i.i.i, %theirs.3.0.i.i.i
  %117 = getelementptr i64, ptr %.201.i.i.i, i64 %reass.sub.i.i.i
  %.1926.i.i.i = getelementptr i8, ptr %117, i64 2048
  store i64 %.1895.i.i.i, ptr %.1926.i.i.i, align 8, !noalias !64
  %.1929.i.i.i = add nsw i64 %j.6.0.i.i.i, 1
  %.1933.i.i.i = add nsw i64 %theirs.3.0.i.i.i, 1
  br label %B808.i.i.i

B808.i.i.i:                                       ; preds = %B760.i.i.i, %B716.i.i.i, %B598.i.i.i
  %theirs.4.2.i.i.i = phi i64 [ %theirs.3.0.i.i.i, %B598.i.i.i ], [ %theirs.3.0.i.i.i, %B716.i.i.i ], [ %.1933.i.i.i, %B760.i.i.i ]
  %mine.3.2.i.i.i = phi i64 [ %mine.2.0.i.i.i, %B598.i.i.i ], [ %.1847.i.i.i, %B716.i.i.i ], [ %mine.2.0.i.i.i, %B760.i.i.i ]
  %i.5.2.i.i.i = phi i64 [ %.1356.i.i.i, %B598.i.i.i ], [ %.1843.i.i.i, %B716.i.i.i ], [ %i.4.0.i.i.i, %B760.i.i.i ]
  %j.7.2.i.i.i = phi i64 [ %.1363.i.i.i, %B598.i.i.i ], [ %j.6.0.i.i.i, %B716.i.i.i ], [ %.1929.i.i.i, %B760.i.i.i ]
  %.1943.i.i.i = icmp slt i64 %i.5.2.i.i.i, %.1018.i.i.i
  %.1953.i.i.i = icmp slt i64 %j.7.2.i.i.i, %.1198.i.i.i
  %or.cond1395.i.i.i = select i1 %.1943.i.i.i, i1 true, i1 %.1953.i.i.i
  br i1 %or.cond1395.i.i.i, label %B538.i.i.i, label %B832.thread.i.i.i

B832.thread.i.i.i:                                ; preds = %B808.i.i.i
  %.206727.not.i.i.i = icmp slt i64 %mine.3.2.i.i.i, 1
  br i1 %.206727.not.i.i.i, label %B1318.i.i.i, label %B862.if.lr.ph.i.i.i

B862.if.lr.ph.i.i.i:                              ; preds = %B832.thread.i.i.i
  %.2259.i.i.i = getelementptr i8, ptr %.201.i.i.i, i64 2048
  %scevgep777 = getelementptr i8, ptr %.164.i.i.i, i64 256
  %scevgep778 = getelementptr i8, ptr %.114.i1632.i.i, i64 256
  %scevgep780 = getelementptr i8, ptr %.114.i1632.i.i, i64 256
  %scevgep801 = getelementptr i8, ptr %.114.i1632.i.i, i64 256
  %118 = getelementptr i8, ptr %.164.i.i.i, i64 16
  %119 = getelementptr i8, ptr %.164.i.i.i, i64 32
  %120 = getelementptr i8, ptr %.164.i.i.i, i64 48
  %121 = getelementptr i8, ptr %.164.i.i.i, i64 64
  %122 = getelementptr i8, ptr %.164.i.i.i, i64 80
  %123 = getelementptr i8, ptr %.164.i.i.i, i64 96
  %124 = getelementptr i8, ptr %.164.i.i.i, i64 112
  %125 = getelementptr i8, ptr %.164.i.i.i, i64 128
  %126 = getelementptr i8, ptr %.164.i.i.i, i64 144
  %127 = getelementptr i8, ptr %.164.i.i.i, i64 160
  %128 = getelementptr i8, ptr %.164.i.i.i, i64 176
  %129 = getelementptr i8, ptr %.164.i.i.i, i64 192
  %130 = getelementptr i8, ptr %.164.i.i.i, i64 208
  %131 = getelementptr i8, ptr %.164.i.i.i, i64 224
  %132 = getelementptr i8, ptr %.164.i.i.i, i64 240
  %133 = getelementptr i8, ptr %.164.i.i.i, i64 16
  %134 = getelementptr i8, ptr %.164.i.i.i, i64 32
  %135 = getelementptr i8, ptr %.164.i.i.i, i64 48
  %136 = getelementptr i8, ptr %.164.i.i.i, i64 64
  %137 = getelementptr i8, ptr %.164.i.i.i, i64 80
  %138 = getelementptr i8, ptr %.164.i.i.i, i64 96
  %139 = getelementptr i8, ptr %.164.i.i.i, i64 112
  %140 = getelementptr i8, ptr %.164.i.i.i, i64 128
  %141 = getelementptr i8, ptr %.164.i.i.i, i64 144
  %142 = getelementptr i8, ptr %.164.i.i.i, i64 160
  %143 = getelementptr i8, ptr %.164.i.i.i, i64 176
  %144 = getelementptr i8, ptr %.164.i.i.i, i64 192
  %145 = getelementptr i8, ptr %.164.i.i.i, i64 208
  %146 = getelementptr i8, ptr %.164.i.i.i, i64 224
  %147 = getelementptr i8, ptr %.164.i.i.i, i64 240
  br label %B862.if.i.i.i

B922.i.i.i:                                       ; preds = %B862.if.i.i.i
  %.2260.i.i.i = load i64, ptr %.2259.i.i.i, align 8, !noalias !64
  %148 = xor i64 %.2260.i.i.i, %.2138.i.i.i
  %149 = and i64 %148, 4294967295
  %.2296.not.i.i.i = icmp eq i64 %149, 0
  br i1 %.2296.not.i.i.i, label %B1046.i.i.i, label %B970.i.i.i

B970.i.i.i:                                       ; preds = %B922.i.i.i, %B998.i.i.i
  %j.8.2.i.i.i = phi i64 [ %.2302.i.i.i, %B998.i.i.i ], [ 256, %B922.i.i.i ]
  %.2302.i.i.i = add nsw i64 %j.8.2.i.i.i, -1
  %.2314.i.i.i = icmp sgt i64 %.2302.i.i.i, %.2219.i.i.i
  br i1 %.2314.i.i.i, label %B998.i.i.i, label %vector.memcheck800

B998.i.i.i:                                       ; preds = %B970.i.i.i
  %.2336.inv.i.i.i = icmp sgt i64 %j.8.2.i.i.i, 0
  %.2337.i.i.i = select i1 %.2336.inv.i.i.i, i64 0, i64 %.195.i.i.i
  %150 = getelementptr i64, ptr %.201.i.i.i, i64 %.2302.i.i.i
  %.2351.i.i.i = getelementptr i64, ptr %150, i64 %.2337.i.i.i
  %.2352.i.i.i = load i64, ptr %.2351.i.i.i, align 8, !noalias !64
  %151 = xor i64 %.2352.i.i.i, %.2138.i.i.i
  %152 = and i64 %151, 4294967295
  %.2388.not.i.i.i = icmp eq i64 %152, 0
  br i1 %.2388.not.i.i.i, label %B1046.i.i.i, label %B970.i.i.i

B1046.i.i.i:                                      ; preds = %B998.i.i.i, %B862.if.i.i.i, %B922.i.i.i
  %j.9.1.i.i.i = phi i64 [ 256, %B922.i.i.i ], [ 256, %B862.if.i.i.i ], [ %.2302.i.i.i, %B998.i.i.i ]
  %.2406.i.i.i = icmp sgt i64 %j.9.1.i.i.i, %.2219.i.i.i
  br i1 %.2406.i.i.i, label %B1064.i.i.i, label %vector.memcheck800

vector.memcheck800:                               ; preds = %B970.i.i.i, %B1046.i.i.i
  %scevgep802 = getelementptr i8, ptr %scevgep801, i64 %.2177.i.i.i
  %bound0803 = icmp ugt ptr %scevgep802, %.164.i.i.i
  %bound1804 = icmp ult ptr %.2179.i.i.i, %scevgep777
  %found.conflict805 = and i1 %bound0803, %bound1804
  br i1 %found.conflict805, label %B1266.if.i.i.i, label %vector.body808

vector.body808:                                   ; preds = %vector.memcheck800
  %wide.load810 = load <16 x i8>, ptr %.164.i.i.i, align 1, !alias.scope !67, !noalias !70
  %wide.load811 = load <16 x i8>, ptr %118, align 1, !alias.scope !67, !noalias !70
  %153 = getelementptr i8, ptr %.2179.i.i.i, i64 16
  %wide.load812 = load <16 x i8>, ptr %.2179.i.i.i, align 1, !alias.scope !72, !noalias !64
  %wide.load813 = load <16 x i8>, ptr %153, align 1, !alias.scope !72, !noalias !64
  %154 = or <16 x i8> %wide.load812, %wide.load810
  %155 = or <16 x i8> %wide.load813, %wide.load811
  store <16 x i8> %154, ptr %.164.i.i.i, align 1, !alias.scope !67, !noalias !70
  store <16 x i8> %155, ptr %118, align 1, !alias.scope !67, !noalias !70
  %wide.load810.1 = load <16 x i8>, ptr %119, align 1, !alias.scope !67, !noalias !70
  %wide.load811.1 = load <16 x i8>, ptr %120, align 1, !alias.scope !67, !noalias !70
  %156 = getelementptr i8, ptr %.2179.i.i.i, i64 32
  %157 = getelementptr i8, ptr %.2179.i.i.i, i64 48
  %wide.load812.1 = load <16 x i8>, ptr %156, align 1, !alias.scope !72, !noalias !64
  %wide.load813.1 = load <16 x i8>, ptr %157, align 1, !alias.scope !72, !noalias !64
  %158 = or <16 x i8> %wide.load812.1, %wide.load810.1
  %159 = or <16 x i8> %wide.load813.1, %wide.load811.1
  store <16 x i8> %158, ptr %119, align 1, !alias.scope !67, !noalias !70
  store <16 x i8> %159, ptr %120, align 1, !alias.scope !67, !noalias !70
  %wide.load810.2 = load <16 x i8>, ptr %121, align 1, !alias.scope !67, !noalias !70
  %wide.load811.2 = load <16 x i8>, ptr %122, align 1, !alias.scope !67, !noalias !70
  %160 = getelementptr i8, ptr %.2179.i.i.i, i64 64
  %161 = getelementptr i8, ptr %.2179.i.i.i, i64 80
  %wide.load812.2 = load <16 x i8>, ptr %160, align 1, !alias.scope !72, !noalias !64
  %wide.load813.2 = load <16 x i8>, ptr %161, align 1, !alias.scope !72, !noalias !64
  %162 = or <16 x i8> %wide.load812.2, %wide.load810.2
  %163 = or <16 x i8> %wide.load813.2, %wide.load811.2
  store <16 x i8> %162, ptr %121, align 1, !alias.scope !67, !noalias !70
  store <16 x i8> %163, ptr %122, align 1, !alias.scope !67, !noalias !70
  %wide.load810.3 = load <16 x i8>, ptr %123, align 1, !alias.scope !67, !noalias !70
  %wide.load811.3 = load <16 x i8>, ptr %124, align 1, !alias.scope !67, !noalias !70
  %164 = getelementptr i8, ptr %.2179.i.i.i, i64 96
  %165 = getelementptr i8, ptr %.2179.i.i.i, i64 112
  %wide.load812.3 = load <16 x i8>, ptr %164, align 1, !alias.scope !72, !noalias !64
  %wide.load813.3 = load <16 x i8>, ptr %165, align 1, !alias.scope !72, !noalias !64
  %166 = or <16 x i8> %wide.load812.3, %wide.load810.3
  %167 = or <16 x i8> %wide.load813.3, %wide.load811.3
  store <16 x i8> %166, ptr %123, align 1, !alias.scope !67, !noalias !70
  store <16 x i8> %167, ptr %124, align 1, !alias.scope !67, !noalias !70
  %wide.load810.4 = load <16 x i8>, ptr %125, align 1, !alias.scope !67, !noalias !70
  %wide.load811.4 = load <16 x i8>, ptr %126, align 1, !alias.scope !67, !noalias !70
  %168 = getelementptr i8, ptr %.2179.i.i.i, i64 128
  %169 = getelementptr i8, ptr %.2179.i.i.i, i64 144
  %wide.load812.4 = load <16 x i8>, ptr %168, align 1, !alias.scope !72, !noalias !64
  %wide.load813.4 = load <16 x i8>, ptr %169, align 1, !alias.scope !72, !noalias !64
  %170 = or <16 x i8> %wide.load812.4, %wide.load810.4
  %171 = or <16 x i8> %wide.load813.4, %wide.load811.4
  store <16 x i8> %170, ptr %125, align 1, !alias.scope !67, !noalias !70
  store <16 x i8> %171, ptr %126, align 1, !alias.scope !67, !noalias !70
  %wide.load810.5 = load <16 x i8>, ptr %127, align 1, !alias.scope !67, !noalias !70
  %wide.load811.5 = load <16 x i8>, ptr %128, align 1, !alias.scope !67, !noalias !70
  %172 = getelementptr i8, ptr %.2179.i.i.i, i64 160
  %173 = getelementptr i8, ptr %.2179.i.i.i, i64 176
  %wide.load812.5 = load <16 x i8>, ptr %172, align 1, !alias.scope !72, !noalias !64
  %wide.load813.5 = load <16 x i8>, ptr %173, align 1, !alias.scope !72, !noalias !64
  %174 = or <16 x i8> %wide.load812.5, %wide.load810.5
  %175 = or <16 x i8> %wide.load813.5, %wide.load811.5
  store <16 x i8> %174, ptr %127, align 1, !alias.scope !67, !noalias !70
  store <16 x i8> %175, ptr %128, align 1, !alias.scope !67, !noalias !70
  %wide.load810.6 = load <16 x i8>, ptr %129, align 1, !alias.scope !67, !noalias !70
  %wide.load811.6 = load <16 x i8>, ptr %130, align 1, !alias.scope !67, !noalias !70
  %176 = getelementptr i8, ptr %.2179.i.i.i, i64 192
  %177 = getelementptr i8, ptr %.2179.i.i.i, i64 208
  %wide.load812.6 = load <16 x i8>, ptr %176, align 1, !alias.scope !72, !noalias !64
  %wide.load813.6 = load <16 x i8>, ptr %177, align 1, !alias.scope !72, !noalias !64
  %178 = or <16 x i8> %wide.load812.6, %wide.load810.6
  %179 = or <16 x i8> %wide.load813.6, %wide.load811.6
  store <16 x i8> %178, ptr %129, align 1, !alias.scope !67, !noalias !70
  store <16 x i8> %179, ptr %130, align 1, !alias.scope !67, !noalias !70
  %wide.load810.7 = load <16 x i8>, ptr %131, align 1, !alias.scope !67, !noalias !70
  %wide.load811.7 = load <16 x i8>, ptr %132, align 1, !alias.scope !67, !noalias !70
  %180 = getelementptr i8, ptr %.2179.i.i.i, i64 224
  %181 = getelementptr i8, ptr %.2179.i.i.i, i64 240
  %wide.load812.7 = load <16 x i8>, ptr %180, align 1, !alias.scope !72, !noalias !64
  %wide.load813.7 = load <16 x i8>, ptr %181, align 1, !alias.scope !72, !noalias !64
  %182 = or <16 x i8> %wide.load812.7, %wide.load810.7
  %183 = or <16 x i8> %wide.load813.7, %wide.load811.7
  store <16 x i8> %182, ptr %131, align 1, !alias.scope !67, !noalias !70
  store <16 x i8> %183, ptr %132, align 1, !alias.scope !67, !noalias !70
  br label %B1478.i.i.i

B1064.i.i.i:                                      ; preds = %B1046.i.i.i
  %.2422.i.i.i = icmp slt i64 %j.9.1.i.i.i, 0
  %.2423.i.i.i = select i1 %.2422.i.i.i, i64 %.195.i.i.i, i64 0
  %184 = getelementptr i64, ptr %.201.i.i.i, i64 %j.9.1.i.i.i
  %.2437.i.i.i = getelementptr i64, ptr %184, i64 %.2423.i.i.i
  %.2438.i.i.i = load i64, ptr %.2437.i.i.i, align 8, !noalias !64
  %.2439.i.i.i = ashr i64 %.2438.i.i.i, 32
  %.2458.i.i.i = icmp slt i64 %.2439.i.i.i, 0
  %.2459.i.i.i = select i1 %.2458.i.i.i, i64 %.108.i.i.i, i64 0
  %.2460.i.i.i = add i64 %.2459.i.i.i, %.2439.i.i.i
  %.2477.i.i.i = shl i64 %.2460.i.i.i, 8
  %.2479.i.i.i = getelementptr i8, ptr %.114.i1632.i.i, i64 %.2477.i.i.i
  %scevgep779 = getelementptr i8, ptr %scevgep778, i64 %.2477.i.i.i
  %scevgep781 = getelementptr i8, ptr %scevgep780, i64 %.2177.i.i.i
  %bound0782 = icmp ugt ptr %scevgep779, %.164.i.i.i
  %bound1783 = icmp ult ptr %.2479.i.i.i, %scevgep777
  %found.conflict784 = and i1 %bound0782, %bound1783
  %bound0785 = icmp ugt ptr %scevgep781, %.164.i.i.i
  %bound1786 = icmp ult ptr %.2179.i.i.i, %scevgep777
  %found.conflict787 = and i1 %bound0785, %bound1786
  %conflict.rdx = or i1 %found.conflict784, %found.conflict787
  br i1 %conflict.rdx, label %B1128.if.i.i.i, label %vector.body790

vector.body790:                                   ; preds = %B1064.i.i.i
  %wide.load792 = load <16 x i8>, ptr %.164.i.i.i, align 1, !alias.scope !73, !noalias !76
  %wide.load793 = load <16 x i8>, ptr %133, align 1, !alias.scope !73, !noalias !76
  %185 = getelementptr i8, ptr %.2179.i.i.i, i64 16
  %wide.load794 = load <16 x i8>, ptr %.2179.i.i.i, align 1, !alias.scope !79, !noalias !64
  %wide.load795 = load <16 x i8>, ptr %185, align 1, !alias.scope !79, !noalias !64
  %186 = getelementptr i8, ptr %.2479.i.i.i, i64 16
  %wide.load796 = load <16 x i8>, ptr %.2479.i.i.i, align 1, !alias.scope !80, !noalias !64
  %wide.load797 = load <16 x i8>, ptr %186, align 1, !alias.scope !80, !noalias !64
  %187 = xor <16 x i8> %wide.load796, %wide.load794
  %188 = xor <16 x i8> %wide.load797, %wide.load795
  %189 = or <16 x i8> %187, %wide.load792
  %190 = or <16 x i8> %188, %wide.load793
  store <16 x i8> %189, ptr %.164.i.i.i, align 1, !alias.scope !73, !noalias !76
  store <16 x i8> %190, ptr %133, align 1, !alias.scope !73, !noalias !76
  %wide.load792.1 = load <16 x i8>, ptr %134, align 1, !alias.scope !73, !noalias !76
  %wide.load793.1 = load <16 x i8>, ptr %135, align 1, !alias.scope !73, !noalias !76
  %191 = getelementptr i8, ptr %.2179.i.i.i, i64 32
  %192 = getelementptr i8, ptr %.2179.i.i.i, i64 48
  %wide.load794.1 = load <16 x i8>, ptr %191, align 1, !alias.scope !79, !noalias !64
  %wide.load795.1 = load <16 x i8>, ptr %192, align 1, !alias.scope !79, !noalias !64
  %193 = getelementptr i8, ptr %.2479.i.i.i, i64 32
  %194 = getelementptr i8, ptr %.2479.i.i.i, i64 48
  %wide.load796.1 = load <16 x i8>, ptr %193, align 1, !alias.scope !80, !noalias !64
  %wide.load797.1 = load <16 x i8>, ptr %194, align 1, !alias.scope !80, !noalias !64
  %195 = xor <16 x i8> %wide.load796.1, %wide.load794.1
  %196 = xor <16 x i8> %wide.load797.1, %wide.load795.1
  %197 = or <16 x i8> %195, %wide.load792.1
  %198 = or <16 x i8> %196, %wide.load793.1
  store <16 x i8> %197, ptr %134, align 1, !alias.scope !73, !noalias !76
  store <16 x i8> %198, ptr %135, align 1, !alias.scope !73, !noalias !76
  %wide.load792.2 = load <16 x i8>, ptr %136, align 1, !alias.scope !73, !noalias !76
  %wide.load793.2 = load <16 x i8>, ptr %137, align 1, !alias.scope !73, !noalias !76
  %199 = getelementptr i8, ptr %.2179.i.i.i, i64 64
  %200 = getelementptr i8, ptr %.2179.i.i.i, i64 80
  %wide.load794.2 = load <16 x i8>, ptr %199, align 1, !alias.scope !79, !noalias !64
  %wide.load795.2 = load <16 x i8>, ptr %200, align 1, !alias.scope !79, !noalias !64
  %201 = getelementptr i8, ptr %.2479.i.i.i, i64 64
  %202 = getelementptr i8, ptr %.2479.i.i.i, i64 80
  %wide.load796.2 = load <16 x i8>, ptr %201, align 1, !alias.scope !80, !noalias !64
  %wide.load797.2 = load <16 x i8>, ptr %202, align 1, !alias.scope !80, !noalias !64
  %203 = xor <16 x i8> %wide.load796.2, %wide.load794.2
  %204 = xor <16 x i8> %wide.load797.2, %wide.load795.2
  %205 = or <16 x i8> %203, %wide.load792.2
  %206 = or <16 x i8> %204, %wide.load793.2
  store <16 x i8> %205, ptr %136, align 1, !alias.scope !73, !noalias !76
  store <16 x i8> %206, ptr %137, align 1, !alias.scope !73, !noalias !76
  %wide.load792.3 = load <16 x i8>, ptr %138, align 1, !alias.scope !73, !noalias !76
  %wide.load793.3 = load <16 x i8>, ptr %139, align 1, !alias.scope !73, !noalias !76
  %207 = getelementptr i8, ptr %.2179.i.i.i, i64 96
  %208 = getelementptr i8, ptr %.2179.i.i.i, i64 112
  %wide.load794.3 = load <16 x i8>, ptr %207, align 1, !alias.scope !79, !noalias !64
  %wide.load795.3 = load <16 x i8>, ptr %208, align 1, !alias.scope !79, !noalias !64
  %209 = getelementptr i8, ptr %.2479.i.i.i, i64 96
  %210 = getelementptr i8, ptr %.2479.i.i.i, i64 112
  %wide.load796.3 = load <16 x i8>, ptr %209, align 1, !alias.scope !80, !noalias !64
  %wide.load797.3 = load <16 x i8>, ptr %210, align 1, !alias.scope !80, !noalias !64
  %211 = xor <16 x i8> %wide.load796.3, %wide.load794.3
  %212 = xor <16 x i8> %wide.load797.3, %wide.load795.3
  %213 = or <16 x i8> %211, %wide.load792.3
  %214 = or <16 x i8> %212, %wide.load793.3
  store <16 x i8> %213, ptr %138, align 1, !alias.scope !73, !noalias !76
  store <16 x i8> %214, ptr %139, align 1, !alias.scope !73, !noalias !76
  %wide.load792.4 = load <16 x i8>, ptr %140, align 1, !alias.scope !73, !noalias !76
  %wide.load793.4 = load <16 x i8>, ptr %141, align 1, !alias.scope !73, !noalias !76
  %215 = getelementptr i8, ptr %.2179.i.i.i, i64 128
  %216 = getelementptr i8, ptr %.2179.i.i.i, i64 144
  %wide.load794.4 = load <16 x i8>, ptr %215, align 1, !alias.scope !79, !noalias !64
  %wide.load795.4 = load <16 x i8>, ptr %216, align 1, !alias.scope !79, !noalias !64
  %217 = getelementptr i8, ptr %.2479.i.i.i, i64 128
  %218 = getelementptr i8, ptr %.2479.i.i.i, i64 144
  %wide.load796.4 = load <16 x i8>, ptr %217, align 1, !alias.scope !80, !noalias !64
  %wide.load797.4 = load <16 x i8>, ptr %218, align 1, !alias.scope !80, !noalias !64
  %219 = xor <16 x i8> %wide.load796.4, %wide.load794.4
  %220 = xor <16 x i8> %wide.load797.4, %wide.load795.4
  %221 = or <16 x i8> %219, %wide.load792.4
  %222 = or <16 x i8> %220, %wide.load793.4
  store <16 x i8> %221, ptr %140, align 1, !alias.scope !73, !noalias !76
  store <16 x i8> %222, ptr %141, align 1, !alias.scope !73, !noalias !76
  %wide.load792.5 = load <16 x i8>, ptr %142, align 1, !alias.scope !73, !noalias !76
  %wide.load793.5 = load <16 x i8>, ptr %143, align 1, !alias.scope !73, !noalias !76
  %223 = getelementptr i8, ptr %.2179.i.i.i, i64 160
  %224 = getelementptr i8, ptr %.2179.i.i.i, i64 176
  %wide.load794.5 = load <16 x i8>, ptr %223, align 1, !alias.scope !79, !noalias !64
  %wide.load795.5 = load <16 x i8>, ptr %224, align 1, !alias.scope !79, !noalias !64
  %225 = getelementptr i8, ptr %.2479.i.i.i, i64 160
  %226 = getelementptr i8, ptr %.2479.i.i.i, i64 176
  %wide.load796.5 = load <16 x i8>, ptr %225, align 1, !alias.scope !80, !noalias !64
  %wide.load797.5 = load <16 x i8>, ptr %226, align 1, !alias.scope !80, !noalias !64
  %227 = xor <16 x i8> %wide.load796.5, %wide.load794.5
  %228 = xor <16 x i8> %wide.load797.5, %wide.load795.5
  %229 = or <16 x i8> %227, %wide.load792.5
  %230 = or <16 x i8> %228, %wide.load793.5
  store <16 x i8> %229, ptr %142, align 1, !alias.scope !73, !noalias !76
  store <16 x i8> %230, ptr %143, align 1, !alias.scope !73, !noalias !76
  %wide.load792.6 = load <16 x i8>, ptr %144, align 1, !alias.scope !73, !noalias !76
  %wide.load793.6 = load <16 x i8>, ptr %145, align 1, !alias.scope !73, !noalias !76
  %231 = getelementptr i8, ptr %.2179.i.i.i, i64 192
  %232 = getelementptr i8, ptr %.2179.i.i.i, i64 208
  %wide.load794.6 = load <16 x i8>, ptr %231, align 1, !alias.scope !79, !noalias !64
  %wide.load795.6 = load <16 x i8>, ptr %232, align 1, !alias.scope !79, !noalias !64
  %233 = getelementptr i8, ptr %.2479.i.i.i, i64 192
  %234 = getelementptr i8, ptr %.2479.i.i.i, i64 208
  %wide.load796.6 = load <16 x i8>, ptr %233, align 1, !alias.scope !80, !noalias !64
  %wide.load797.6 = load <16 x i8>, ptr %234, align 1, !alias.scope !80, !noalias !64
  %235 = xor <16 x i8> %wide.load796.6, %wide.load794.6
  %236 = xor <16 x i8> %wide.load797.6, %wide.load795.6
  %237 = or <16 x i8> %235, %wide.load792.6
  %238 = or <16 x i8> %236, %wide.load793.6
  store <16 x i8> %237, ptr %144, align 1, !alias.scope !73, !noalias !76
  store <16 x i8> %238, ptr %145, align 1, !alias.scope !73, !noalias !76
  %wide.load792.7 = load <16 x i8>, ptr %146, align 1, !alias.scope !73, !noalias !76
  %wide.load793.7 = load <16 x i8>, ptr %147, align 1, !alias.scope !73, !noalias !76
  %239 = getelementptr i8, ptr %.2179.i.i.i, i64 224
  %240 = getelementptr i8, ptr %.2179.i.i.i, i64 240
  %wide.load794.7 = load <16 x i8>, ptr %239, align 1, !alias.scope !79, !noalias !64
  %wide.load795.7 = load <16 x i8>, ptr %240, align 1, !alias.scope !79, !noalias !64
  %241 = getelementptr i8, ptr %.2479.i.i.i, i64 224
  %242 = getelementptr i8, ptr %.2479.i.i.i, i64 240
  %wide.load796.7 = load <16 x i8>, ptr %241, align 1, !alias.scope !80, !noalias !64
  %wide.load797.7 = load <16 x i8>, ptr %242, align 1, !alias.scope !80, !noalias !64
  %243 = xor <16 x i8> %wide.load796.7, %wide.load794.7
  %244 = xor <16 x i8> %wide.load797.7, %wide.load795.7
  %245 = or <16 x i8> %243, %wide.load792.7
  %246 = or <16 x i8> %244, %wide.load793.7
  store <16 x i8> %245, ptr %146, align 1, !alias.scope !73, !noalias !76
  store <16 x i8> %246, ptr %147, align 1, !alias.scope !73, !noalias !76
  br label %B1196.i.i.i

B1196.i.i.i:                                      ; preds = %B1128.if.i.i.i, %vector.body790
  %.2778.i.i.i = icmp sgt i64 %theirs.5.030.i.i.i, 257
  %.2779.i.i.i = select i1 %.2778.i.i.i, i64 %.195.i.i.i, i64 0
  %reass.sub1390.i.i.i = sub i64 %.2779.i.i.i, %theirs.5.030.i.i.i
  %247 = getelementptr i64, ptr %.201.i.i.i, i64 %reass.sub1390.i.i.i
  %.2793.i.i.i = getelementptr i8, ptr %247, i64 2056
  %.2794.i.i.i = load i64, ptr %.2793.i.i.i, align 8, !noalias !64
  store i64 %.2794.i.i.i, ptr %.2437.i.i.i, align 8, !noalias !64
  %.2829.i.i.i = add nsw i64 %theirs.5.030.i.i.i, -1
  br label %B1478.i.i.i

B1318.i.i.i:                                      ; preds = %B1478.i.i.i, %B832.thread.i.i.i
  %theirs.5.0.lcssa.i.i.i = phi i64 [ %theirs.4.2.i.i.i, %B832.thread.i.i.i ], [ %theirs.7.1.i.i.i, %B1478.i.i.i ]
  %.314933.not.i.i.i = icmp slt i64 %theirs.5.0.lcssa.i.i.i, 1
  br i1 %.314933.not.i.i.i, label %B1304.i.i, label %B1356.if.preheader.i.i.i

B1356.if.preheader.i.i.i:                         ; preds = %B1318.i.i.i
  %.3067.i.i.i = sub nsw i64 257, %theirs.5.0.lcssa.i.i.i
  %scevgep = getelementptr i8, ptr %.164.i.i.i, i64 256
  %scevgep771 = getelementptr i8, ptr %.114.i1632.i.i, i64 256
  %248 = getelementptr i8, ptr %.164.i.i.i, i64 16
  %249 = getelementptr i8, ptr %.164.i.i.i, i64 32
  %250 = getelementptr i8, ptr %.164.i.i.i, i64 48
  %251 = getelementptr i8, ptr %.164.i.i.i, i64 64
  %252 = getelementptr i8, ptr %.164.i.i.i, i64 80
  %253 = getelementptr i8, ptr %.164.i.i.i, i64 96
  %254 = getelementptr i8, ptr %.164.i.i.i, i64 112
  %255 = getelementptr i8, ptr %.164.i.i.i, i64 128
  %256 = getelementptr i8, ptr %.164.i.i.i, i64 144
  %257 = getelementptr i8, ptr %.164.i.i.i, i64 160
  %258 = getelementptr i8, ptr %.164.i.i.i, i64 176
  %259 = getelementptr i8, ptr %.164.i.i.i, i64 192
  %260 = getelementptr i8, ptr %.164.i.i.i, i64 208
  %261 = getelementptr i8, ptr %.164.i.i.i, i64 224
  %262 = getelementptr i8, ptr %.164.i.i.i, i64 240
  br label %B1356.if.i.i.i

B1356.loopexit.i.i.i:                             ; preds = %B1424.if.i.i.i, %vector.body
  %.3158.i.i.i = add nsw i64 %.3096.035.i.i.i, -1
  %.3162.i.i.i = add i64 %.3093.034.i.i.i, 1
  %.3149.i.i.i = icmp sgt i64 %.3096.035.i.i.i, 1
  br i1 %.3149.i.i.i, label %B1356.if.i.i.i, label %B1304.i.i

B1478.i.i.i:                                      ; preds = %B1266.if.i.i.i, %vector.body808, %B1196.i.i.i
  %theirs.7.1.i.i.i = phi i64 [ %.2829.i.i.i, %B1196.i.i.i ], [ %theirs.5.030.i.i.i, %vector.body808 ], [ %theirs.5.030.i.i.i, %B1266.if.i.i.i ]
  %exitcond40.not.i.i.i = icmp eq i64 %mine.3.2.i.i.i, %.2080.i.i.i
  br i1 %exitcond40.not.i.i.i, label %B1318.i.i.i, label %B862.if.i.i.i

B238.else.endif.i.i.i:                            ; preds = %B1240.1.i.i
  br i1 %.433.i.i.i, label %B1404.i.i, label %B238.endif.else.endif.endif.endif.i.i.i, !prof !20

B238.endif.endif.i.i.i:                           ; preds = %B238.endif.else.endif.endif.endif.i.i.i
  br label %.499.endif.preheader.i.i.i

.499.endif.preheader.i.i.i:                       ; preds = %B238.endif.else.endif.endif.endif.i.i.i, %B238.endif.endif.i.i.i
  %.408.sroa.13.053.i.i.i = phi i64 [ %.158.i.i.i, %B238.endif.endif.i.i.i ], [ 256, %B238.endif.else.endif.endif.endif.i.i.i ]
  tail call void @llvm.memset.p0.i64(ptr align 1 %.164.i.i.i, i8 1, i64 %.408.sroa.13.053.i.i.i, i1 false), !noalias !64
  br label %B1404.i.i

B238.endif.else.endif.endif.endif.i.i.i:          ; preds = %B238.else.endif.i.i.i
  %.450.i.i.i = icmp ult i64 %.158.i.i.i, 257
  br i1 %.450.i.i.i, label %B238.endif.endif.i.i.i, label %.499.endif.preheader.i.i.i, !prof !37

B256.else.endif.i.i.i:                            ; preds = %B1240.1.i.i
  br i1 %.433.i.i.i, label %.804.if.i.i.i, label %B256.endif.else.endif.endif.endif.i.i.i, !prof !20

B256.endif.endif.i.i.i:                           ; preds = %B256.endif.else.endif.endif.endif.i.i.i
  br label %.804.endif.preheader.i.i.i

.804.endif.preheader.i.i.i:                       ; preds = %B256.endif.else.endif.endif.endif.i.i.i, %B256.endif.endif.i.i.i
  %.713.sroa.13.065.i.i.i = phi i64 [ %.158.i.i.i, %B256.endif.endif.i.i.i ], [ 256, %B256.endif.else.endif.endif.endif.i.i.i ]
  tail call void @llvm.memset.p0.i64(ptr align 1 %.164.i.i.i, i8 0, i64 %.713.sroa.13.065.i.i.i, i1 false), !noalias !64
  br label %.804.if.i.i.i

B256.endif.else.endif.endif.endif.i.i.i:          ; preds = %B256.else.endif.i.i.i
  %.755.i.i.i = icmp ult i64 %.158.i.i.i, 257
  br i1 %.755.i.i.i, label %B256.endif.endif.i.i.i, label %.804.endif.preheader.i.i.i, !prof !37

.804.if.i.i.i:                                    ; preds = %.804.endif.preheader.i.i.i, %B256.else.endif.i.i.i
  %.7551562.i.i.i = phi i1 [ %.755.i.i.i, %.804.endif.preheader.i.i.i ], [ true, %B256.else.endif.i.i.i ]
  %.idx.i.i.i = shl nuw nsw i64 %.773.i.i, 6
  %263 = getelementptr i8, ptr %.36.i.i193.i, i64 %.idx.i.i.i
  %.904.i.i.i = getelementptr i8, ptr %263, i64 16
  %.905.i.i.i = load i64, ptr %.904.i.i.i, align 8, !noalias !64
  %.1016.i.i.i = getelementptr i8, ptr %263, i64 24
  %.1017.i.i.i = load i64, ptr %.1016.i.i.i, align 8, !noalias !64
  %.1018.i.i.i = add nsw i64 %.1017.i.i.i, %.905.i.i.i
  %.idx18.i.i.i = shl nuw nsw i64 %.807.i.i, 6
  %264 = getelementptr i8, ptr %.36.i.i193.i, i64 %.idx18.i.i.i
  %.1082.i.i.i = getelementptr i8, ptr %264, i64 16
  %.1083.i.i.i = load i64, ptr %.1082.i.i.i, align 8, !noalias !64
  %.1194.i.i.i = getelementptr i8, ptr %264, i64 24
  %.1195.i.i.i = load i64, ptr %.1194.i.i.i, align 8, !noalias !64
  %.1198.i.i.i = add nsw i64 %.1195.i.i.i, %.1083.i.i.i
  %.1225.i.i.i = icmp sgt i64 %.1017.i.i.i, 0
  %.1255.i.i.i = icmp sgt i64 %.1195.i.i.i, 0
  %or.cond1393.i.i.i = select i1 %.1225.i.i.i, i1 true, i1 %.1255.i.i.i
  br i1 %or.cond1393.i.i.i, label %B538.i.i.i, label %B1304.i.i

B638.else.endif.i.i.i:                            ; preds = %B620.i.i.i
  br i1 %.433.i.i.i, label %B638.endif.else.endif.if.i.i.i, label %B638.endif.else.endif.endif.endif.i.i.i, !prof !20

B638.endif.endif.i.i.i:                           ; preds = %B638.endif.else.endif.endif.endif.if.i.i.i, %B638.endif.else.endif.endif.endif.i.i.i
  %.1556.sroa.13.0.i.i.i = phi i64 [ %.158.i.i.i, %B638.endif.else.endif.endif.endif.if.i.i.i ], [ 256, %B638.endif.else.endif.endif.endif.i.i.i ]
  %.1677.not21.i.i.i = icmp slt i64 %.1556.sroa.0.3.i.i.i, %.1556.sroa.13.0.i.i.i
  br i1 %.1677.not21.i.i.i, label %.1647.endif.preheader.i.i.i, label %B1304.i.i, !prof !36

.1647.endif.preheader.i.i.i:                      ; preds = %B638.endif.endif.i.i.i
  %scevgep38.i.i.i = getelementptr i8, ptr %.164.i.i.i, i64 %.1556.sroa.0.3.i.i.i
  %265 = sub i64 %.1556.sroa.13.0.i.i.i, %.1556.sroa.0.3.i.i.i
  tail call void @llvm.memset.p0.i64(ptr align 1 %scevgep38.i.i.i, i8 1, i64 %265, i1 false), !noalias !64
  br label %B1304.i.i

B638.endif.else.endif.if.i.i.i:                   ; preds = %B638.else.endif.i.i.i
  br label %B638.endif.else.endif.endif.endif.i.i.i

B638.endif.else.endif.endif.endif.i.i.i:          ; preds = %B638.endif.else.endif.if.i.i.i, %B638.else.endif.i.i.i
  %.1556.sroa.0.3.i.i.i = phi i64 [ %.158.i.i.i, %B638.endif.else.endif.if.i.i.i ], [ 0, %B638.else.endif.i.i.i ]
  br i1 %.7551562.i.i.i, label %B638.endif.else.endif.endif.endif.if.i.i.i, label %B638.endif.endif.i.i.i, !prof !20

B638.endif.else.endif.endif.endif.if.i.i.i:       ; preds = %B638.endif.else.endif.endif.endif.i.i.i
  br label %B638.endif.endif.i.i.i

B862.if.i.i.i:                                    ; preds = %B1478.i.i.i, %B862.if.lr.ph.i.i.i
  %theirs.5.030.i.i.i = phi i64 [ %theirs.4.2.i.i.i, %B862.if.lr.ph.i.i.i ], [ %theirs.7.1.i.i.i, %B1478.i.i.i ]
  %.2009.028.i.i.i = phi i64 [ 0, %B862.if.lr.ph.i.i.i ], [ %.2080.i.i.i, %B1478.i.i.i ]
  %.2080.i.i.i = add nuw nsw i64 %.2009.028.i.i.i, 1
  %266 = getelementptr i64, ptr %.201.i.i.i, i64 %.2009.028.i.i.i
  %.2138.i.i.i = load i64, ptr %266, align 8, !noalias !64
  %.2139.i.i.i = ashr i64 %.2138.i.i.i, 32
  %.2158.i.i.i = icmp slt i64 %.2139.i.i.i, 0
  %.2159.i.i.i = select i1 %.2158.i.i.i, i64 %.108.i.i.i, i64 0
  %.2160.i.i.i = add i64 %.2159.i.i.i, %.2139.i.i.i
  %.2177.i.i.i = shl i64 %.2160.i.i.i, 8
  %.2179.i.i.i = getelementptr i8, ptr %.114.i1632.i.i, i64 %.2177.i.i.i
  %.2219.i.i.i = sub i64 256, %theirs.5.030.i.i.i
  %.2221.i.i.i = icmp sgt i64 %theirs.5.030.i.i.i, 0
  br i1 %.2221.i.i.i, label %B922.i.i.i, label %B1046.i.i.i

B1128.if.i.i.i:                                   ; preds = %B1064.i.i.i, %B1128.if.i.i.i
  %.2534.025.i.i.i = phi i64 [ %.2603.i.i.i.1, %B1128.if.i.i.i ], [ 0, %B1064.i.i.i ]
  %.2603.i.i.i = or i64 %.2534.025.i.i.i, 1
  %267 = getelementptr i8, ptr %.164.i.i.i, i64 %.2534.025.i.i.i
  %.2657.i.i.i = load i8, ptr %267, align 1, !noalias !64
  %.2686.i.i.i = getelementptr i8, ptr %.2179.i.i.i, i64 %.2534.025.i.i.i
  %.2687.i.i.i = load i8, ptr %.2686.i.i.i, align 1, !noalias !64
  %.2716.i.i.i = getelementptr i8, ptr %.2479.i.i.i, i64 %.2534.025.i.i.i
  %.2717.i.i.i = load i8, ptr %.2716.i.i.i, align 1, !noalias !64
  %.27201391.i.i.i = xor i8 %.2717.i.i.i, %.2687.i.i.i
  %.27221392.i.i.i = or i8 %.27201391.i.i.i, %.2657.i.i.i
  store i8 %.27221392.i.i.i, ptr %267, align 1, !noalias !64
  %.2603.i.i.i.1 = add nuw nsw i64 %.2534.025.i.i.i, 2
  %268 = getelementptr i8, ptr %.164.i.i.i, i64 %.2603.i.i.i
  %.2657.i.i.i.1 = load i8, ptr %268, align 1, !noalias !64
  %.2686.i.i.i.1 = getelementptr i8, ptr %.2179.i.i.i, i64 %.2603.i.i.i
  %.2687.i.i.i.1 = load i8, ptr %.2686.i.i.i.1, align 1, !noalias !64
  %.2716.i.i.i.1 = getelementptr i8, ptr %.2479.i.i.i, i64 %.2603.i.i.i
  %.2717.i.i.i.1 = load i8, ptr %.2716.i.i.i.1, align 1, !noalias !64
  %.27201391.i.i.i.1 = xor i8 %.2717.i.i.i.1, %.2687.i.i.i.1
  %.27221392.i.i.i.1 = or i8 %.27201391.i.i.i.1, %.2657.i.i.i.1
  store i8 %.27221392.i.i.i.1, ptr %268, align 1, !noalias !64
  %exitcond39.not.i.i.i.1 = icmp eq i64 %.2603.i.i.i.1, 256
  br i1 %exitcond39.not.i.i.i.1, label %B1196.i.i.i, label %B1128.if.i.i.i, !llvm.loop !81

B1266.if.i.i.i:                                   ; preds = %vector.memcheck800, %B1266.if.i.i.i
  %.2861.023.i.i.i = phi i64 [ %.2930.i.i.i.3, %B1266.if.i.i.i ], [ 0, %vector.memcheck800 ]
  %.2930.i.i.i = or i64 %.2861.023.i.i.i, 1
  %269 = getelementptr i8, ptr %.164.i.i.i, i64 %.2861.023.i.i.i
  %.2984.i.i.i = load i8, ptr %269, align 1, !noalias !64
  %.3013.i.i.i = getelementptr i8, ptr %.2179.i.i.i, i64 %.2861.023.i.i.i
  %.3014.i.i.i = load i8, ptr %.3013.i.i.i, align 1, !noalias !64
  %.30171389.i.i.i = or i8 %.3014.i.i.i, %.2984.i.i.i
  store i8 %.30171389.i.i.i, ptr %269, align 1, !noalias !64
  %.2930.i.i.i.1 = or i64 %.2861.023.i.i.i, 2
  %270 = getelementptr i8, ptr %.164.i.i.i, i64 %.2930.i.i.i
  %.2984.i.i.i.1 = load i8, ptr %270, align 1, !noalias !64
  %.3013.i.i.i.1 = getelementptr i8, ptr %.2179.i.i.i, i64 %.2930.i.i.i
  %.3014.i.i.i.1 = load i8, ptr %.3013.i.i.i.1, align 1, !noalias !64
  %.30171389.i.i.i.1 = or i8 %.3014.i.i.i.1, %.2984.i.i.i.1
  store i8 %.30171389.i.i.i.1, ptr %270, align 1, !noalias !64
  %.2930.i.i.i.2 = or i64 %.2861.023.i.i.i, 3
  %271 = getelementptr i8, ptr %.164.i.i.i, i64 %.2930.i.i.i.1
  %.2984.i.i.i.2 = load i8, ptr %271, align 1, !noalias !64
  %.3013.i.i.i.2 = getelementptr i8, ptr %.2179.i.i.i, i64 %.2930.i.i.i.1
  %.3014.i.i.i.2 = load i8, ptr %.3013.i.i.i.2, align 1, !noalias !64
  %.30171389.i.i.i.2 = or i8 %.3014.i.i.i.2, %.2984.i.i.i.2
  store i8 %.30171389.i.i.i.2, ptr %271, align 1, !noalias !64
  %.2930.i.i.i.3 = add nuw nsw i64 %.2861.023.i.i.i, 4
  %272 = getelementptr i8, ptr %.164.i.i.i, i64 %.2930.i.i.i.2
  %.2984.i.i.i.3 = load i8, ptr %272, align 1, !noalias !64
  %.3013.i.i.i.3 = getelementptr i8, ptr %.2179.i.i.i, i64 %.2930.i.i.i.2
  %.3014.i.i.i.3 = load i8, ptr %.3013.i.i.i.3, align 1, !noalias !64
  %.30171389.i.i.i.3 = or i8 %.3014.i.i.i.3, %.2984.i.i.i.3
  store i8 %.30171389.i.i.i.3, ptr %272, align 1, !noalias !64
  %exitcond.not.i.i224.i.3 = icmp eq i64 %.2930.i.i.i.3, 256
  br i1 %exitcond.not.i.i224.i.3, label %B1478.i.i.i, label %B1266.if.i.i.i, !llvm.loop !82

B1356.if.i.i.i:                                   ; preds = %B1356.loopexit.i.i.i, %B1356.if.preheader.i.i.i
  %.3096.035.i.i.i = phi i64 [ %.3158.i.i.i, %B1356.loopexit.i.i.i ], [ %theirs.5.0.lcssa.i.i.i, %B1356.if.preheader.i.i.i ]
  %.3093.034.i.i.i = phi i64 [ %.3162.i.i.i, %B1356.loopexit.i.i.i ], [ %.3067.i.i.i, %B1356.if.preheader.i.i.i ]
  %.3200.i.i.i = icmp slt i64 %.3093.034.i.i.i, 0
  %.3201.i.i.i = select i1 %.3200.i.i.i, i64 %.195.i.i.i, i64 0
  %273 = getelementptr i64, ptr %.201.i.i.i, i64 %.3093.034.i.i.i
  %.3215.i.i.i = getelementptr i64, ptr %273, i64 %.3201.i.i.i
  %.3216.i.i.i = load i64, ptr %.3215.i.i.i, align 8, !noalias !64
  %.3217.i.i.i = ashr i64 %.3216.i.i.i, 32
  %.3236.i.i.i = icmp slt i64 %.3217.i.i.i, 0
  %.3237.i.i.i = select i1 %.3236.i.i.i, i64 %.108.i.i.i, i64 0
  %.3238.i.i.i = add i64 %.3237.i.i.i, %.3217.i.i.i
  %.3255.i.i.i = shl i64 %.3238.i.i.i, 8
  %.3257.i.i.i = getelementptr i8, ptr %.114.i1632.i.i, i64 %.3255.i.i.i
  %scevgep772 = getelementptr i8, ptr %scevgep771, i64 %.3255.i.i.i
  %bound0 = icmp ugt ptr %scevgep772, %.164.i.i.i
  %bound1 = icmp ult ptr %.3257.i.i.i, %scevgep
  %found.conflict = and i1 %bound0, %bound1
  br i1 %found.conflict, label %B1424.if.i.i.i, label %vector.body

vector.body:                                      ; preds = %B1356.if.i.i.i
  %wide.load = load <16 x i8>, ptr %.164.i.i.i, align 1, !alias.scope !83, !noalias !86
  %wide.load773 = load <16 x i8>, ptr %248, align 1, !alias.scope !83, !noalias !86
  %274 = getelementptr i8, ptr %.3257.i.i.i, i64 16
  %wide.load774 = load <16 x i8>, ptr %.3257.i.i.i, align 1, !alias.scope !88, !noalias !64
  %wide.load775 = load <16 x i8>, ptr %274, align 1, !alias.scope !88, !noalias !64
  %275 = or <16 x i8> %wide.load774, %wide.load
  %276 = or <16 x i8> %wide.load775, %wide.load773
  store <16 x i8> %275, ptr %.164.i.i.i, align 1, !alias.scope !83, !noalias !86
  store <16 x i8> %276, ptr %248, align 1, !alias.scope !83, !noalias !86
  %wide.load.1 = load <16 x i8>, ptr %249, align 1, !alias.scope !83, !noalias !86
  %wide.load773.1 = load <16 x i8>, ptr %250, align 1, !alias.scope !83, !noalias !86
  %277 = getelementptr i8, ptr %.3257.i.i.i, i64 32
  %278 = getelementptr i8, ptr %.3257.i.i.i, i64 48
  %wide.load774.1 = load <16 x i8>, ptr %277, align 1, !alias.scope !88, !noalias !64
  %wide.load775.1 = load <16 x i8>, ptr %278, align 1, !alias.scope !88, !noalias !64
  %279 = or <16 x i8> %wide.load774.1, %wide.load.1
  %280 = or <16 x i8> %wide.load775.1, %wide.load773.1
  store <16 x i8> %279, ptr %249, align 1, !alias.scope !83, !noalias !86
  store <16 x i8> %280, ptr %250, align 1, !alias.scope !83, !noalias !86
  %wide.load.2 = load <16 x i8>, ptr %251, align 1, !alias.scope !83, !noalias !86
  %wide.load773.2 = load <16 x i8>, ptr %252, align 1, !alias.scope !83, !noalias !86
  %281 = getelementptr i8, ptr %.3257.i.i.i, i64 64
  %282 = getelementptr i8, ptr %.3257.i.i.i, i64 80
  %wide.load774.2 = load <16 x i8>, ptr %281, align 1, !alias.scope !88, !noalias !64
  %wide.load775.2 = load <16 x i8>, ptr %282, align 1, !alias.scope !88, !noalias !64
  %283 = or <16 x i8> %wide.load774.2, %wide.load.2
  %284 = or <16 x i8> %wide.load775.2, %wide.load773.2
  store <16 x i8> %283, ptr %251, align 1, !alias.scope !83, !noalias !86
  store <16 x i8> %284, ptr %252, align 1, !alias.scope !83, !noalias !86
  %wide.load.3 = load <16 x i8>, ptr %253, align 1, !alias.scope !83, !noalias !86
  %wide.load773.3 = load <16 x i8>, ptr %254, align 1, !alias.scope !83, !noalias !86
  %285 = getelementptr i8, ptr %.3257.i.i.i, i64 96
  %286 = getelementptr i8, ptr %.3257.i.i.i, i64 112
  %wide.load774.3 = load <16 x i8>, ptr %285, align 1, !alias.scope !88, !noalias !64
  %wide.load775.3 = load <16 x i8>, ptr %286, align 1, !alias.scope !88, !noalias !64
  %287 = or <16 x i8> %wide.load774.3, %wide.load.3
  %288 = or <16 x i8> %wide.load775.3, %wide.load773.3
  store <16 x i8> %287, ptr %253, align 1, !alias.scope !83, !noalias !86
  store <16 x i8> %288, ptr %254, align 1, !alias.scope !83, !noalias !86
  %wide.load.4 = load <16 x i8>, ptr %255, align 1, !alias.scope !83, !noalias !86
  %wide.load773.4 = load <16 x i8>, ptr %256, align 1, !alias.scope !83, !noalias !86
  %289 = getelementptr i8, ptr %.3257.i.i.i, i64 128
  %290 = getelementptr i8, ptr %.3257.i.i.i, i64 144
  %wide.load774.4 = load <16 x i8>, ptr %289, align 1, !alias.scope !88, !noalias !64
  %wide.load775.4 = load <16 x i8>, ptr %290, align 1, !alias.scope !88, !noalias !64
  %291 = or <16 x i8> %wide.load774.4, %wide.load.4
  %292 = or <16 x i8> %wide.load775.4, %wide.load773.4
  store <16 x i8> %291, ptr %255, align 1, !alias.scope !83, !noalias !86
  store <16 x i8> %292, ptr %256, align 1, !alias.scope !83, !noalias !86
  %wide.load.5 = load <16 x i8>, ptr %257, align 1, !alias.scope !83, !noalias !86
  %wide.load773.5 = load <16 x i8>, ptr %258, align 1, !alias.scope !83, !noalias !86
  %293 = getelementptr i8, ptr %.3257.i.i.i, i64 160
  %294 = getelementptr i8, ptr %.3257.i.i.i, i64 176
  %wide.load774.5 = load <16 x i8>, ptr %293, align 1, !alias.scope !88, !noalias !64
  %wide.load775.5 = load <16 x i8>, ptr %294, align 1, !alias.scope !88, !noalias !64
  %295 = or <16 x i8> %wide.load774.5, %wide.load.5
  %296 = or <16 x i8> %wide.load775.5, %wide.load773.5
  store <16 x i8> %295, ptr %257, align 1, !alias.scope !83, !noalias !86
  store <16 x i8> %296, ptr %258, align 1, !alias.scope !83, !noalias !86
  %wide.load.6 = load <16 x i8>, ptr %259, align 1, !alias.scope !83, !noalias !86
  %wide.load773.6 = load <16 x i8>, ptr %260, align 1, !alias.scope !83, !noalias !86
  %297 = getelementptr i8, ptr %.3257.i.i.i, i64 192
  %298 = getelementptr i8, ptr %.3257.i.i.i, i64 208
  %wide.load774.6 = load <16 x i8>, ptr %297, align 1, !alias.scope !88, !noalias !64
  %wide.load775.6 = load <16 x i8>, ptr %298, align 1, !alias.scope !88, !noalias !64
  %299 = or <16 x i8> %wide.load774.6, %wide.load.6
  %300 = or <16 x i8> %wide.load775.6, %wide.load773.6
  store <16 x i8> %299, ptr %259, align 1, !alias.scope !83, !noalias !86
  store <16 x i8> %300, ptr %260, align 1, !alias.scope !83, !noalias !86
  %wide.load.7 = load <16 x i8>, ptr %261, align 1, !alias.scope !83, !noalias !86
  %wide.load773.7 = load <16 x i8>, ptr %262, align 1, !alias.scope !83, !noalias !86
  %301 = getelementptr i8, ptr %.3257.i.i.i, i64 224
  %302 = getelementptr i8, ptr %.3257.i.i.i, i64 240
  %wide.load774.7 = load <16 x i8>, ptr %301, align 1, !alias.scope !88, !noalias !64
  %wide.load775.7 = load <16 x i8>, ptr %302, align 1, !alias.scope !88, !noalias !64
  %303 = or <16 x i8> %wide.load774.7, %wide.load.7
  %304 = or <16 x i8> %wide.load775.7, %wide.load773.7
  store <16 x i8> %303, ptr %261, align 1, !alias.scope !83, !noalias !86
  store <16 x i8> %304, ptr %262, align 1, !alias.scope !83, !noalias !86
  br label %B1356.loopexit.i.i.i

B1424.if.i.i.i:                                   ; preds = %B1356.if.i.i.i, %B1424.if.i.i.i
  %.3312.031.i.i.i = phi i64 [ %.3381.i.i.i.3, %B1424.if.i.i.i ], [ 0, %B1356.if.i.i.i ]
  %.3381.i.i.i = or i64 %.3312.031.i.i.i, 1
  %305 = getelementptr i8, ptr %.164.i.i.i, i64 %.3312.031.i.i.i
  %.3435.i.i.i = load i8, ptr %305, align 1, !noalias !64
  %.3464.i.i.i = getelementptr i8, ptr %.3257.i.i.i, i64 %.3312.031.i.i.i
  %.3465.i.i.i = load i8, ptr %.3464.i.i.i, align 1, !noalias !64
  %.34681388.i.i.i = or i8 %.3465.i.i.i, %.3435.i.i.i
  store i8 %.34681388.i.i.i, ptr %305, align 1, !noalias !64
  %.3381.i.i.i.1 = or i64 %.3312.031.i.i.i, 2
  %306 = getelementptr i8, ptr %.164.i.i.i, i64 %.3381.i.i.i
  %.3435.i.i.i.1 = load i8, ptr %306, align 1, !noalias !64
  %.3464.i.i.i.1 = getelementptr i8, ptr %.3257.i.i.i, i64 %.3381.i.i.i
  %.3465.i.i.i.1 = load i8, ptr %.3464.i.i.i.1, align 1, !noalias !64
  %.34681388.i.i.i.1 = or i8 %.3465.i.i.i.1, %.3435.i.i.i.1
  store i8 %.34681388.i.i.i.1, ptr %306, align 1, !noalias !64
  %.3381.i.i.i.2 = or i64 %.3312.031.i.i.i, 3
  %307 = getelementptr i8, ptr %.164.i.i.i, i64 %.3381.i.i.i.1
  %.3435.i.i.i.2 = load i8, ptr %307, align 1, !noalias !64
  %.3464.i.i.i.2 = getelementptr i8, ptr %.3257.i.i.i, i64 %.3381.i.i.i.1
  %.3465.i.i.i.2 = load i8, ptr %.3464.i.i.i.2, align 1, !noalias !64
  %.34681388.i.i.i.2 = or i8 %.3465.i.i.i.2, %.3435.i.i.i.2
  store i8 %.34681388.i.i.i.2, ptr %307, align 1, !noalias !64
  %.3381.i.i.i.3 = add nuw nsw i64 %.3312.031.i.i.i, 4
  %308 = getelementptr i8, ptr %.164.i.i.i, i64 %.3381.i.i.i.2
  %.3435.i.i.i.3 = load i8, ptr %308, align 1, !noalias !64
  %.3464.i.i.i.3 = getelementptr i8, ptr %.3257.i.i.i, i64 %.3381.i.i.i.2
  %.3465.i.i.i.3 = load i8, ptr %.3464.i.i.i.3, align 1, !noalias !64
  %.34681388.i.i.i.3 = or i8 %.3465.i.i.i.3, %.3435.i.i.i.3
  store i8 %.34681388.i.i.i.3, ptr %308, align 1, !noalias !64
  %exitcond41.not.i.i.i.3 = icmp eq i64 %.3381.i.i.i.3, 256
  br i1 %exitcond41.not.i.i.i.3, label %B1356.loopexit.i.i.i, label %B1424.if.i.i.i, !llvm.loop !89

B1304.i.i:                                        ; preds = %B1356.loopexit.i.i.i, %.1647.endif.preheader.i.i.i, %B638.endif.endif.i.i.i, %.804.if.i.i.i, %B1318.i.i.i
  %309 = getelementptr i8, ptr %.39.i.i, i64 %.idx.i.i.i
  %.1534.i.i = getelementptr i8, ptr %309, i64 32
  %.1535.i.i = load i64, ptr %.1534.i.i, align 8, !noalias !51
  %310 = getelementptr i8, ptr %.39.i.i, i64 %.idx18.i.i.i
  %.1589.i.i = getelementptr i8, ptr %310, i64 32
  %.1590.i.i = load i64, ptr %.1589.i.i, align 8, !noalias !51
  %.1591.i.i = and i64 %.1535.i.i, 48
  %.1593.i.i = and i64 %.1591.i.i, %.1590.i.i
  %.1595.i.i = or i64 %.1593.i.i, %.121.i.i
  br label %B1404.i.i

B1404.i.i:                                        ; preds = %B1304.i.i, %.499.endif.preheader.i.i.i, %B238.else.endif.i.i.i
  %strings.2.1.i.i = phi i64 [ %.1595.i.i, %B1304.i.i ], [ %.121.i.i, %.499.endif.preheader.i.i.i ], [ %.121.i.i, %B238.else.endif.i.i.i ]
  %.1701107.not.i.i = icmp slt i64 %.916.i.i, 1
  br i1 %.1701107.not.i.i, label %B2396.i199.i, label %B1440.lr.ph.i.i

B1440.lr.ph.i.i:                                  ; preds = %B1404.i.i
  %.1812.not.i.i = icmp eq i64 %strings.2.1.i.i, 0
  %.idx.i1637.i.i = shl nsw i64 %.773.i.i, 6
  %.idx.i1657.i.i = shl nsw i64 %.807.i.i, 6
  br label %B1440.i.i

B1440.i.i:                                        ; preds = %B2513.i.i, %B1440.lr.ph.i.i
  %size.5.1112.i.i = phi i64 [ %size.4.0.i.i, %B1440.lr.ph.i.i ], [ %size.6.2.i.i, %B2513.i.i ]
  %n.5.1110.i.i = phi i64 [ %n.3.0.i.i, %B1440.lr.ph.i.i ], [ %n.6.2.i.i, %B2513.i.i ]
  %.1647.0109.i.i = phi i64 [ %.916.i.i, %B1440.lr.ph.i.i ], [ %.1710.i.i, %B2513.i.i ]
  %.1644.0108.i.i = phi i64 [ %.844.i.i, %B1440.lr.ph.i.i ], [ %.1714.i.i, %B2513.i.i ]
  %.1710.i.i = add nsw i64 %.1647.0109.i.i, -1
  %.1714.i.i = add nsw i64 %.1644.0108.i.i, 1
  %.1756.i.i = icmp slt i64 %.1644.0108.i.i, 0
  %.1757.i.i = select i1 %.1756.i.i, i64 %.178.i.i, i64 0
  %311 = getelementptr i8, ptr %.184.i.i, i64 %.1644.0108.i.i
  %.1771.i.i = getelementptr i8, ptr %311, i64 %.1757.i.i
  %.1772.i.i = load i8, ptr %.1771.i.i, align 1, !noalias !51
  %.1773.i.i = zext i8 %.1772.i.i to i64
  %.1806.i.i = getelementptr i8, ptr %.383.i.i, i64 %.1773.i.i
  %.1807.i.i = load i8, ptr %.1806.i.i, align 1, !noalias !51
  %.1809.i.i = icmp eq i8 %.1807.i.i, 0
  br i1 %.1809.i.i, label %B2513.i.i, label %B1508.i.i

B1508.i.i:                                        ; preds = %B1440.i.i
  br i1 %.1812.not.i.i, label %B1538.i.i, label %B1512.i.i

B1512.i.i:                                        ; preds = %B1508.i.i
  %.1829.i.i = select i1 %.1756.i.i, i64 %.134.i.i, i64 0
  %312 = getelementptr i8, ptr %.140.i.i, i64 %.1644.0108.i.i
  %.1843.i194.i = getelementptr i8, ptr %312, i64 %.1829.i.i
  %.1844.i195.i = load i8, ptr %.1843.i194.i, align 1, !noalias !51
  %.1846.i.i = icmp eq i8 %.1844.i195.i, 0
  br i1 %.1846.i.i, label %B2513.i.i, label %B1538.i.i

B1538.i.i:                                        ; preds = %B1512.i.i, %B1508.i.i
  %.1880.i.i = select i1 %.1756.i.i, i64 %.216.i.i, i64 0
  %313 = getelementptr i32, ptr %.222.i.i, i64 %.1644.0108.i.i
  %.1894.i.i = getelementptr i32, ptr %313, i64 %.1880.i.i
  %.1895.i.i = load i32, ptr %.1894.i.i, align 4, !noalias !51
  %.1911.i.i = icmp slt i64 %.1644.0108.i.i, -1
  %.1912.i.i = select i1 %.1911.i.i, i64 %.216.i.i, i64 0
  %314 = getelementptr i8, ptr %313, i64 4
  %.1926.i.i = getelementptr i32, ptr %314, i64 %.1912.i.i
  %.1927.i.i = load i32, ptr %.1926.i.i, align 4, !noalias !51
  %.1928.i.i = icmp eq i32 %.1895.i.i, %.1927.i.i
  br i1 %.1928.i.i, label %B1580.i.i, label %B1800.i.i

B1580.i.i:                                        ; preds = %B1538.i.i
  br i1 %.228.i.i.i, label %B1642.i.i, label %B1604.i.i

B1604.i.i:                                        ; preds = %B1580.i.i
  %.25.i.i.i = load i64, ptr %.29.i182.i, align 8, !noalias !90
  %.34.i.i220.i = inttoptr i64 %.25.i.i.i to ptr
  %.66.i.i.i = load i64, ptr %.67.i.i.i, align 8, !noalias !90
  %.69.i.i221.i = load i64, ptr %.70.i.i.i, align 8, !noalias !90
  %.75.i.i.i = inttoptr i64 %.66.i.i.i to ptr
  %.103.i.i.i = load i64, ptr %.104.i.i.i, align 8, !noalias !90
  %.106.i.i222.i = load i64, ptr %.107.i.i186.i, align 8, !noalias !90
  %.112.i.i.i = inttoptr i64 %.103.i.i.i to ptr
  %315 = getelementptr i8, ptr %.34.i.i220.i, i64 %.idx.i1637.i.i
  %.302.i.i.i = getelementptr i8, ptr %315, i64 24
  %.303.i.i.i = load i64, ptr %.302.i.i.i, align 8, !noalias !90
  %invariant.gep.i.i.i = getelementptr i8, ptr %.112.i.i.i, i64 %.1773.i.i
  %.3861.not.i.i.i = icmp slt i64 %.303.i.i.i, 1
  br i1 %.3861.not.i.i.i, label %B1642.i.i, label %B250.if.preheader.i.i.i

B250.if.preheader.i.i.i:                          ; preds = %B1604.i.i
  %.196.i.i.i = getelementptr i8, ptr %315, i64 16
  %.197.i.i.i = load i64, ptr %.196.i.i.i, align 8, !noalias !90
  br label %B250.if.i.i.i

B302.i.i.i:                                       ; preds = %B250.if.i.i.i
  %.449.i.i.i = icmp slt i64 %.328.02.i.i.i, 0
  %.450.i1638.i.i = select i1 %.449.i.i.i, i64 %.69.i.i221.i, i64 0
  %316 = getelementptr i64, ptr %.75.i.i.i, i64 %.328.02.i.i.i
  %.464.i.i.i = getelementptr i64, ptr %316, i64 %.450.i1638.i.i
  %.465.i.i.i = load i64, ptr %.464.i.i.i, align 8, !noalias !90
  %.468.i.i.i = ashr i64 %.465.i.i.i, 32
  %.492.i.i.i = icmp slt i64 %.468.i.i.i, 0
  %.493.i.i.i = select i1 %.492.i.i.i, i64 %.106.i.i222.i, i64 0
  %.494.i.i.i = add i64 %.493.i.i.i, %.468.i.i.i
  %.514.i.i.i = shl i64 %.494.i.i.i, 8
  %gep.i.i.i = getelementptr i8, ptr %invariant.gep.i.i.i, i64 %.514.i.i.i
  %.519.i.i.i = load i8, ptr %gep.i.i.i, align 1, !noalias !90
  %.521.i.i.i = icmp ne i8 %.519.i.i.i, 0
  %.386.i.i223.i = icmp ugt i64 %.331.03.i.i.i, 1
  br i1 %.386.i.i223.i, label %B250.if.i.i.i.backedge, label %states.takes.exit.i.i

B302.i.thread.i.i:                                ; preds = %B250.if.i.i.i
  %.386.i166.i.i = icmp ugt i64 %.331.03.i.i.i, 1
  br i1 %.386.i166.i.i, label %B250.if.i.i.i.backedge, label %B1654.i.i

B250.if.i.i.i.backedge:                           ; preds = %B302.i.thread.i.i, %B302.i.i.i
  %found.2.04.i.i.i.be = phi i1 [ %.521.i.i.i, %B302.i.i.i ], [ true, %B302.i.thread.i.i ]
  br label %B250.if.i.i.i

B250.if.i.i.i:                                    ; preds = %B250.if.i.i.i.backedge, %B250.if.preheader.i.i.i
  %found.2.04.i.i.i = phi i1 [ false, %B250.if.preheader.i.i.i ], [ %found.2.04.i.i.i.be, %B250.if.i.i.i.backedge ]
  %.331.03.i.i.i = phi i64 [ %.303.i.i.i, %B250.if.preheader.i.i.i ], [ %.395.i.i.i, %B250.if.i.i.i.backedge ]
  %.328.02.i.i.i = phi i64 [ %.197.i.i.i, %B250.if.preheader.i.i.i ], [ %.399.i.i.i, %B250.if.i.i.i.backedge ]
  %.395.i.i.i = add nsw i64 %.331.03.i.i.i, -1
  %.399.i.i.i = add i64 %.328.02.i.i.i, 1
  br i1 %found.2.04.i.i.i, label %B302.i.thread.i.i, label %B302.i.i.i

states.takes.exit.i.i:                            ; preds = %B302.i.i.i
  br i1 %.521.i.i.i, label %B1654.i.i, label %B1642.i.i

B1642.i.i:                                        ; preds = %states.takes.exit.i.i, %B1604.i.i, %B1580.i.i
  br label %B1654.i.i

B1654.i.i:                                        ; preds = %B302.i.thread.i.i, %B1642.i.i, %states.takes.exit.i.i
  %"$phi1654.3.2.3.i.i" = phi i64 [ -1, %B1642.i.i ], [ 0, %states.takes.exit.i.i ], [ 0, %B302.i.thread.i.i ]
  br i1 %.1223.1.not.i.i, label %B1732.i.i, label %B1694.i.i

B1694.i.i:                                        ; preds = %B1654.i.i
  %.25.i1640.i.i = load i64, ptr %.29.i182.i, align 8, !noalias !93
  %.34.i1643.i.i = inttoptr i64 %.25.i1640.i.i to ptr
  %.66.i1645.i.i = load i64, ptr %.67.i.i.i, align 8, !noalias !93
  %.69.i1647.i.i = load i64, ptr %.70.i.i.i, align 8, !noalias !93
  %.75.i1648.i.i = inttoptr i64 %.66.i1645.i.i to ptr
  %.103.i1650.i.i = load i64, ptr %.104.i.i.i, align 8, !noalias !93
  %.106.i1652.i.i = load i64, ptr %.107.i.i186.i, align 8, !noalias !93
  %.112.i1653.i.i = inttoptr i64 %.103.i1650.i.i to ptr
  %317 = getelementptr i8, ptr %.34.i1643.i.i, i64 %.idx.i1657.i.i
  %.302.i1658.i.i = getelementptr i8, ptr %317, i64 24
  %.303.i1659.i.i = load i64, ptr %.302.i1658.i.i, align 8, !noalias !93
  %invariant.gep.i1660.i.i = getelementptr i8, ptr %.112.i1653.i.i, i64 %.1773.i.i
  %.3861.not.i1661.i.i = icmp slt i64 %.303.i1659.i.i, 1
  br i1 %.3861.not.i1661.i.i, label %B1732.i.i, label %B250.if.preheader.i1662.i.i

B250.if.preheader.i1662.i.i:                      ; preds = %B1694.i.i
  %.196.i1663.i.i = getelementptr i8, ptr %317, i64 16
  %.197.i1664.i.i = load i64, ptr %.196.i1663.i.i, align 8, !noalias !93
  br label %B250.if.i1665.i.i

B302.i1684.i.i:                                   ; preds = %B250.if.i1665.i.i
  %.449.i1672.i.i = icmp slt i64 %.328.02.i1668.i.i, 0
  %.450.i1673.i.i = select i1 %.449.i1672.i.i, i64 %.69.i1647.i.i, i64 0
  %318 = getelementptr i64, ptr %.75.i1648.i.i, i64 %.328.02.i1668.i.i
  %.464.i1674.i.i = getelementptr i64, ptr %318, i64 %.450.i1673.i.i
  %.465.i1675.i.i = load i64, ptr %.464.i1674.i.i, align 8, !noalias !93
  %.468.i1676.i.i = ashr i64 %.465.i1675.i.i, 32
  %.492.i1677.i.i = icmp slt i64 %.468.i1676.i.i, 0
  %.493.i1678.i.i = select i1 %.492.i1677.i.i, i64 %.106.i1652.i.i, i64 0
  %.494.i1679.i.i = add i64 %.493.i1678.i.i, %.468.i1676.i.i
  %.514.i1680.i.i = shl i64 %.494.i1679.i.i, 8
  %gep.i1681.i.i = getelementptr i8, ptr %invariant.gep.i1660.i.i, i64 %.514.i1680.i.i
  %.519.i1682.i.i = load i8, ptr %gep.i1681.i.i, align 1, !noalias !93
  %.521.i1683.i.i = icmp ne i8 %.519.i1682.i.i, 0
  %.386.i1686.i.i = icmp ugt i64 %.331.03.i1667.i.i, 1
  br i1 %.386.i1686.i.i, label %B250.if.i1665.i.i.backedge, label %states.takes.exit1689.i.i

B302.i1684.thread.i.i:                            ; preds = %B250.if.i1665.i.i
  %.386.i1686170.i.i = icmp ugt i64 %.331.03.i1667.i.i, 1
  br i1 %.386.i1686170.i.i, label %B250.if.i1665.i.i.backedge, label %B2034.i.i

B250.if.i1665.i.i.backedge:                       ; preds = %B302.i1684.thread.i.i, %B302.i1684.i.i
  %found.2.04.i1666.i.i.be = phi i1 [ %.521.i1683.i.i, %B302.i1684.i.i ], [ true, %B302.i1684.thread.i.i ]
  br label %B250.if.i1665.i.i

B250.if.i1665.i.i:                                ; preds = %B250.if.i1665.i.i.backedge, %B250.if.preheader.i1662.i.i
  %found.2.04.i1666.i.i = phi i1 [ false, %B250.if.preheader.i1662.i.i ], [ %found.2.04.i1666.i.i.be, %B250.if.i1665.i.i.backedge ]
  %.331.03.i1667.i.i = phi i64 [ %.303.i1659.i.i, %B250.if.preheader.i1662.i.i ], [ %.395.i1669.i.i, %B250.if.i1665.i.i.backedge ]
  %.328.02.i1668.i.i = phi i64 [ %.197.i1664.i.i, %B250.if.preheader.i1662.i.i ], [ %.399.i1670.i.i, %B250.if.i1665.i.i.backedge ]
  %.395.i1669.i.i = add nsw i64 %.331.03.i1667.i.i, -1
  %.399.i1670.i.i = add i64 %.328.02.i1668.i.i, 1
  br i1 %found.2.04.i1666.i.i, label %B302.i1684.thread.i.i, label %B302.i1684.i.i

states.takes.exit1689.i.i:                        ; preds = %B302.i1684.i.i
  br i1 %.521.i1683.i.i, label %B2034.i.i, label %B1732.i.i

B1732.i.i:                                        ; preds = %states.takes.exit1689.i.i, %B1694.i.i, %B1654.i.i
  br label %B2034.i.i

B1800.i.i:                                        ; preds = %B1538.i.i
  br i1 %.228.i.i.i, label %B1858.i.i, label %B1826.i.i

B1826.i.i:                                        ; preds = %B1800.i.i
  store i64 0, ptr %.2081.i.i, align 8, !noalias !51
  %.2087.i.i = call fastcc i32 @states.step_once(ptr %.2081.i.i, ptr %excinfo.11.i.i, ptr %.19, i64 %.773.i.i, i64 %.1773.i.i)
  %.2089.not.i.i = icmp eq i32 %.2087.i.i, 0
  br i1 %.2089.not.i.i, label %B1826.endif.i.i, label %B1826.if.i.i, !prof !4

B1858.i.i:                                        ; preds = %B1826.endif.i.i, %B1800.i.i
  %"$phi1858.1.2.4.i.i" = phi i64 [ %.2097.i.i, %B1826.endif.i.i ], [ -1, %B1800.i.i ]
  %.2117.i.i = icmp eq i64 %"$phi1858.1.2.4.i.i", -3
  %or.cond.i197.i = or i1 %.1223.1.not.i.i, %.2117.i.i
  br i1 %or.cond.i197.i, label %B1940.i.i, label %B1908.i.i

B1908.i.i:                                        ; preds = %B1858.i.i
  store i64 0, ptr %.2132.i.i, align 8, !noalias !51
  %.2138.i.i = call fastcc i32 @states.step_once(ptr %.2132.i.i, ptr %excinfo.12.i.i, ptr %.19, i64 %.807.i.i, i64 %.1773.i.i)
  %.2140.not.i.i = icmp eq i32 %.2138.i.i, 0
  br i1 %.2140.not.i.i, label %B1908.endif.i.i, label %B1908.if.i.i, !prof !4

B1940.i.i:                                        ; preds = %B1908.endif.i.i, %B1858.i.i
  %"$phi1940.1.2.4.i.i" = phi i64 [ %.2148.i.i, %B1908.endif.i.i ], [ -1, %B1858.i.i ]
  %.2173.i.i = icmp eq i64 %"$phi1940.1.2.4.i.i", -3
  %or.cond1.i.i = select i1 %.2117.i.i, i1 true, i1 %.2173.i.i
  br i1 %or.cond1.i.i, label %B304.endif.sink.split.i, label %B2000.i.i

B2000.i.i:                                        ; preds = %B1940.i.i
  %.32.i.i.i = load i64, ptr %.29.i182.i, align 8, !noalias !96
  %.41.i.i.i = inttoptr i64 %.32.i.i.i to ptr
  br label %B76.i.i.i

B76.i.i.i:                                        ; preds = %B422.i.i.i, %B2000.i.i
  %.94.0.i.i.i = phi i64 [ 4, %B2000.i.i ], [ %.158.i1690.i.i, %B422.i.i.i ]
  %b.2.0.i.i.i = phi i64 [ %"$phi1940.1.2.4.i.i", %B2000.i.i ], [ %.493.0.ph.i.i.i, %B422.i.i.i ]
  %a.2.0.i.i.i = phi i64 [ %"$phi1858.1.2.4.i.i", %B2000.i.i ], [ %.450.0.ph24.i.i.i, %B422.i.i.i ]
  %.149.not.i.i.i = icmp eq i64 %.94.0.i.i.i, 0
  br i1 %.149.not.i.i.i, label %B2104.i.i, label %B76.if.i.i.i

B126.i.i.i:                                       ; preds = %B76.if.i.i.i
  %.204.i.i198.i = icmp slt i64 %a.2.0.i.i.i, 0
  %.207.i.i.i = icmp slt i64 %b.2.0.i.i.i, 0
  %or.cond.i1691.i.i = select i1 %.204.i.i198.i, i1 true, i1 %.207.i.i.i
  br i1 %or.cond.i1691.i.i, label %B2104.i.i, label %B150.i.i.i

B150.i.i.i:                                       ; preds = %B126.i.i.i
  %.idx.i1692.i.i = shl i64 %a.2.0.i.i.i, 6
  %319 = getelementptr i8, ptr %.41.i.i.i, i64 %.idx.i1692.i.i
  %.262.i.i.i = getelementptr i8, ptr %319, i64 24
  %.263.i.i.i = load i64, ptr %.262.i.i.i, align 8, !noalias !96
  %.264.not.i.i.i = icmp eq i64 %.263.i.i.i, 1
  br i1 %.264.not.i.i.i, label %B188.i.i.i, label %B2104.i.i

B188.i.i.i:                                       ; preds = %B150.i.i.i
  %.idx25.i.i.i = shl i64 %b.2.0.i.i.i, 6
  %320 = getelementptr i8, ptr %.41.i.i.i, i64 %.idx25.i.i.i
  %.319.i.i.i = getelementptr i8, ptr %320, i64 24
  %.320.i.i.i = load i64, ptr %.319.i.i.i, align 8, !noalias !96
  %.321.not.i.i.i = icmp eq i64 %.320.i.i.i, 1
  br i1 %.321.not.i.i.i, label %B226.i.i.i, label %B2104.i.i

B226.i.i.i:                                       ; preds = %B188.i.i.i
  %.377.i.i.i = load i64, ptr %319, align 8, !noalias !96
  %.432.i.i.i = load i64, ptr %320, align 8, !noalias !96
  %.433.not.i.i.i = icmp eq i64 %.377.i.i.i, %.432.i.i.i
  br i1 %.433.not.i.i.i, label %B324.i.i.i, label %B2104.i.i

B324.i.i.i:                                       ; preds = %B226.i.i.i
  store ptr null, ptr %excinfo.1.i.i.i181.i, align 8, !noalias !100
  %.27.i.i.i.i = load i64, ptr %.29.i182.i, align 8, !noalias !100
  %.36.i.i.i.i = inttoptr i64 %.27.i.i.i.i to ptr
  %321 = getelementptr i8, ptr %.36.i.i.i.i, i64 %.idx.i1692.i.i
  %.116.i.i.i.i = getelementptr i8, ptr %321, i64 8
  %.117.i.i.i218.i = load i64, ptr %.116.i.i.i.i, align 8, !noalias !100
  %.118.i.i.i.i = icmp eq i64 %.117.i.i.i218.i, -2
  br i1 %.118.i.i.i.i, label %B94.i.i.i.i, label %B324.endif.i.i.i

B94.i.i.i.i:                                      ; preds = %B324.i.i.i
  %.130.i.i.i219.i = load i64, ptr %.67.i.i.i, align 8, !noalias !100
  %.133.i.i.i.i = load i64, ptr %.70.i.i.i, align 8, !noalias !100
  %.139.i.i.i.i = inttoptr i64 %.130.i.i.i219.i to ptr
  %.212.i.i.i.i = getelementptr i8, ptr %321, i64 16
  %.213.i.i.i.i = load i64, ptr %.212.i.i.i.i, align 8, !noalias !100
  %.226.i.i.i.i = icmp slt i64 %.213.i.i.i.i, 0
  %.227.i.i.i.i = select i1 %.226.i.i.i.i, i64 %.133.i.i.i.i, i64 0
  %322 = getelementptr i64, ptr %.139.i.i.i.i, i64 %.213.i.i.i.i
  %.241.i.i.i.i = getelementptr i64, ptr %322, i64 %.227.i.i.i.i
  %.242.i.i.i.i = load i64, ptr %.241.i.i.i.i, align 8, !noalias !100
  %.243.i.i.i.i = and i64 %.242.i.i.i.i, 4294967295
  store i64 0, ptr %.245.i.i.i.i, align 8, !noalias !100
  %.251.i.i.i.i = call fastcc i32 @states.state_of(ptr %.245.i.i.i.i, ptr %excinfo.1.i.i.i181.i, ptr nonnull %.19, i64 %.243.i.i.i.i)
  %.253.not.i.i.i.i = icmp eq i32 %.251.i.i.i.i, 0
  %.261.i.i.i.i = load i64, ptr %.245.i.i.i.i, align 8, !noalias !100
  br i1 %.253.not.i.i.i.i, label %B94.endif.i.i.i.i, label %B324.if.i.i.i, !prof !4

B324.endif.thread21.i.i.i:                        ; preds = %B94.endif.i.i.i.i
  store i64 %.261.i.i.i.i, ptr %.116.i.i.i.i, align 8, !noalias !100
  %.27.i293.pre.i.i.i = load i64, ptr %.29.i182.i, align 8, !noalias !104
  %.pre.i.i.i = inttoptr i64 %.27.i293.pre.i.i.i to ptr
  br label %B392.i.i.i

B94.endif.i.i.i.i:                                ; preds = %B94.i.i.i.i
  %.279.i.i.i.i = icmp eq i64 %.261.i.i.i.i, -3
  br i1 %.279.i.i.i.i, label %B324.endif.thread.i.i.i, label %B324.endif.thread21.i.i.i

B324.endif.thread.i.i.i:                          ; preds = %B94.endif.i.i.i.i
  br label %B304.endif.sink.split.i

B392.i.i.i:                                       ; preds = %B324.endif.i.i.i, %B324.endif.thread21.i.i.i
  %.36.i296.pre-phi.i.i.i = phi ptr [ %.pre.i.i.i, %B324.endif.thread21.i.i.i ], [ %.36.i.i.i.i, %B324.endif.i.i.i ]
  %.450.0.ph24.i.i.i = phi i64 [ %.261.i.i.i.i, %B324.endif.thread21.i.i.i ], [ %.117.i.i.i218.i, %B324.endif.i.i.i ]
  store ptr null, ptr %excinfo.1.i291.i.i.i, align 8, !noalias !104
  %323 = getelementptr i8, ptr %.36.i296.pre-phi.i.i.i, i64 %.idx25.i.i.i
  %.116.i301.i.i.i = getelementptr i8, ptr %323, i64 8
  %.117.i302.i.i.i = load i64, ptr %.116.i301.i.i.i, align 8, !noalias !104
  %.118.i303.i.i.i = icmp eq i64 %.117.i302.i.i.i, -2
  br i1 %.118.i303.i.i.i, label %B94.i307.i.i.i, label %B422.i.i.i

B94.i307.i.i.i:                                   ; preds = %B392.i.i.i
  %.130.i309.i.i.i = load i64, ptr %.67.i.i.i, align 8, !noalias !104
  %.133.i311.i.i.i = load i64, ptr %.70.i.i.i, align 8, !noalias !104
  %.139.i312.i.i.i = inttoptr i64 %.130.i309.i.i.i to ptr
  %.212.i313.i.i.i = getelementptr i8, ptr %323, i64 16
  %.213.i314.i.i.i = load i64, ptr %.212.i313.i.i.i, align 8, !noalias !104
  %.226.i315.i.i.i = icmp slt i64 %.213.i314.i.i.i, 0
  %.227.i316.i.i.i = select i1 %.226.i315.i.i.i, i64 %.133.i311.i.i.i, i64 0
  %324 = getelementptr i64, ptr %.139.i312.i.i.i, i64 %.213.i314.i.i.i
  %.241.i317.i.i.i = getelementptr i64, ptr %324, i64 %.227.i316.i.i.i
  %.242.i318.i.i.i = load i64, ptr %.241.i317.i.i.i, align 8, !noalias !104
  %.243.i319.i.i.i = and i64 %.242.i318.i.i.i, 4294967295
  store i64 0, ptr %.245.i290.i.i.i, align 8, !noalias !104
  %.251.i320.i.i.i = call fastcc i32 @states.state_of(ptr %.245.i290.i.i.i, ptr %excinfo.1.i291.i.i.i, ptr nonnull %.19, i64 %.243.i319.i.i.i)
  %.253.not.i321.i.i.i = icmp eq i32 %.251.i320.i.i.i, 0
  %.261.i322.i.i.i = load i64, ptr %.245.i290.i.i.i, align 8, !noalias !104
  br i1 %.253.not.i321.i.i.i, label %B94.endif.i325.i.i.i, label %B392.if.i.i.i, !prof !4

B244.i327.i.i.i:                                  ; preds = %B94.endif.i325.i.i.i
  store i64 %.261.i322.i.i.i, ptr %.116.i301.i.i.i, align 8, !noalias !104
  br label %B422.i.i.i

B94.endif.i325.i.i.i:                             ; preds = %B94.i307.i.i.i
  %.279.i326.i.i.i = icmp eq i64 %.261.i322.i.i.i, -3
  br i1 %.279.i326.i.i.i, label %B422.thread16.i.i.i, label %B244.i327.i.i.i

B422.thread16.i.i.i:                              ; preds = %B94.endif.i325.i.i.i
  br label %B304.endif.sink.split.i

B422.i.i.i:                                       ; preds = %B244.i327.i.i.i, %B392.i.i.i
  %.493.0.ph.i.i.i = phi i64 [ %.117.i302.i.i.i, %B392.i.i.i ], [ %.261.i322.i.i.i, %B244.i327.i.i.i ]
  %.531.i.i.i = icmp eq i64 %.493.0.ph.i.i.i, -3
  br i1 %.531.i.i.i, label %B304.endif.sink.split.i, label %B76.i.i.i

B76.if.i.i.i:                                     ; preds = %B76.i.i.i
  %.158.i1690.i.i = add nsw i64 %.94.0.i.i.i, -1
  %.189.i.i.i = icmp eq i64 %a.2.0.i.i.i, %b.2.0.i.i.i
  br i1 %.189.i.i.i, label %B2513.i.i, label %B126.i.i.i

B324.if.i.i.i:                                    ; preds = %B94.i.i.i.i
  %.252.i.i.i.i = load ptr, ptr %excinfo.1.i.i.i181.i, align 8, !noalias !100
  br label %B304.if.i

B324.endif.i.i.i:                                 ; preds = %B324.i.i.i
  %.482.i.i.i = icmp eq i64 %.117.i.i.i218.i, -3
  br i1 %.482.i.i.i, label %B304.endif.sink.split.i, label %B392.i.i.i

B392.if.i.i.i:                                    ; preds = %B94.i307.i.i.i
  %.252.i324.i.i.i = load ptr, ptr %excinfo.1.i291.i.i.i, align 8, !noalias !104
  br label %B304.if.i

B2034.i.i:                                        ; preds = %B302.i1684.thread.i.i, %B1732.i.i, %states.takes.exit1689.i.i
  %"$phi1744.3.2.3.i.i" = phi i64 [ -1, %B1732.i.i ], [ 0, %states.takes.exit1689.i.i ], [ 0, %B302.i1684.thread.i.i ]
  %.2061.not.i.i = icmp eq i64 %"$phi1654.3.2.3.i.i", %"$phi1744.3.2.3.i.i"
  br i1 %.2061.not.i.i, label %B2513.i.i, label %B2104.i.i

B2104.i.i:                                        ; preds = %B226.i.i.i, %B188.i.i.i, %B150.i.i.i, %B126.i.i.i, %B76.i.i.i, %B2034.i.i
  %two.2.334.i.i = phi i64 [ %"$phi1744.3.2.3.i.i", %B2034.i.i ], [ %"$phi1940.1.2.4.i.i", %B76.i.i.i ], [ %"$phi1940.1.2.4.i.i", %B126.i.i.i ], [ %"$phi1940.1.2.4.i.i", %B150.i.i.i ], [ %"$phi1940.1.2.4.i.i", %B188.i.i.i ], [ %"$phi1940.1.2.4.i.i", %B226.i.i.i ]
  %one.3.333.i.i = phi i64 [ %"$phi1654.3.2.3.i.i", %B2034.i.i ], [ %"$phi1858.1.2.4.i.i", %B76.i.i.i ], [ %"$phi1858.1.2.4.i.i", %B126.i.i.i ], [ %"$phi1858.1.2.4.i.i", %B150.i.i.i ], [ %"$phi1858.1.2.4.i.i", %B188.i.i.i ], [ %"$phi1858.1.2.4.i.i", %B226.i.i.i ]
  %.2337.i.i = icmp slt i64 %one.3.333.i.i, 0
  %325 = xor i64 %one.3.333.i.i, %two.2.334.i.i
  %.2340.i.i = icmp slt i64 %325, 0
  br i1 %.2340.i.i, label %B2132.i.i, label %B2294.i.i

B2132.i.i:                                        ; preds = %B2104.i.i
  %.2359.i.i = select i1 %.1756.i.i, i64 %.254.i.i, i64 0
  %326 = getelementptr i32, ptr %.260.i.i, i64 %.1644.0108.i.i
  %.2373.i.i = getelementptr i32, ptr %326, i64 %.2359.i.i
  %.2374.i.i = load i32, ptr %.2373.i.i, align 4, !noalias !51
  %.2375.i.i = sext i32 %.2374.i.i to i64
  %.27.i1698.i.i = load i64, ptr %.335.i.i, align 8, !noalias !108
  %.30.i.i.i = load i64, ptr %.338.i.i, align 8, !noalias !108
  %.36.i1699.i.i = inttoptr i64 %.27.i1698.i.i to ptr
  %.64.i.i200.i = load i64, ptr %.63.i.i187.i, align 8, !noalias !108
  %.73.i1700.i.i = inttoptr i64 %.64.i.i200.i to ptr
  %.100.i.i201.i = icmp sgt i32 %.2374.i.i, -2
  %.113.i1701.i.i = sub nuw nsw i64 -2, %.2375.i.i
  %"$phi138.0.2.0.i.i202.i" = select i1 %.100.i.i201.i, i64 %.2375.i.i, i64 %.113.i1701.i.i
  %.133.i.i203.i = icmp sgt i64 %"$phi138.0.2.0.i.i202.i", -1
  br i1 %.133.i.i203.i, label %B152.i.i207.i, label %tokens.several.exit.i204.i

B152.i.i207.i:                                    ; preds = %B2132.i.i, %B152.i.i207.i
  %n.2.0.i.i208.i = phi i64 [ %.169.i.i214.i, %B152.i.i207.i ], [ %n.5.1110.i.i, %B2132.i.i ]
  %t.1.2.0.i.i209.i = phi i64 [ %.205.i.i216.i, %B152.i.i207.i ], [ %"$phi138.0.2.0.i.i202.i", %B2132.i.i ]
  %.150.i.i210.i = icmp slt i64 %n.2.0.i.i208.i, 0
  %.151.i.i211.i = select i1 %.150.i.i210.i, i64 %.30.i.i.i, i64 0
  %327 = getelementptr i32, ptr %.36.i1699.i.i, i64 %n.2.0.i.i208.i
  %.165.i.i212.i = getelementptr i32, ptr %327, i64 %.151.i.i211.i
  %.166.i.i213.i = trunc i64 %t.1.2.0.i.i209.i to i32
  store i32 %.166.i.i213.i, ptr %.165.i.i212.i, align 4, !noalias !108
  %.169.i.i214.i = add nsw i64 %n.2.0.i.i208.i, 1
  %.203.i.i215.i = getelementptr i32, ptr %.73.i1700.i.i, i64 %t.1.2.0.i.i209.i
  %.204.i1703.i.i = load i32, ptr %.203.i.i215.i, align 4, !noalias !108
  %.205.i.i216.i = zext i32 %.204.i1703.i.i to i64
  %.208.i.i217.i = icmp sgt i32 %.204.i1703.i.i, -1
  br i1 %.208.i.i217.i, label %B152.i.i207.i, label %tokens.several.exit.i204.i

tokens.several.exit.i204.i:                       ; preds = %B152.i.i207.i, %B2132.i.i
  %n.3.1.i.i205.i = phi i64 [ %n.5.1110.i.i, %B2132.i.i ], [ %.169.i.i214.i, %B152.i.i207.i ]
  %.2427.i.i = icmp slt i64 %n.5.1110.i.i, %n.3.1.i.i205.i
  %or.cond1612.i.i = select i1 %.2337.i.i, i1 %.2427.i.i, i1 false
  br i1 %or.cond1612.i.i, label %B2232.i.i.preheader, label %B2294.i.i

B2232.i.i.preheader:                              ; preds = %tokens.several.exit.i204.i
  %328 = sub i64 %n.3.1.i.i205.i, %n.5.1110.i.i
  %.neg = add i64 %n.5.1110.i.i, 1
  %xtraiter935 = and i64 %328, 1
  %lcmp.mod936.not = icmp eq i64 %xtraiter935, 0
  br i1 %lcmp.mod936.not, label %B2232.i.i.prol.loopexit, label %B2232.i.i.prol

B2232.i.i.prol:                                   ; preds = %B2232.i.i.preheader
  %.2451.i.i.prol = icmp slt i64 %n.5.1110.i.i, 0
  %.2452.i.i.prol = select i1 %.2451.i.i.prol, i64 %.339.i.i, i64 0
  %329 = getelementptr i32, ptr %.345.i.i, i64 %n.5.1110.i.i
  %.2466.i.i.prol = getelementptr i32, ptr %329, i64 %.2452.i.i.prol
  %.2467.i.i.prol = load i32, ptr %.2466.i.i.prol, align 4, !noalias !51
  %330 = xor i32 %.2467.i.i.prol, -1
  store i32 %330, ptr %.2466.i.i.prol, align 4, !noalias !51
  %.2503.i.i.prol = add nsw i64 %n.5.1110.i.i, 1
  br label %B2232.i.i.prol.loopexit

B2232.i.i.prol.loopexit:                          ; preds = %B2232.i.i.prol, %B2232.i.i.preheader
  %i.2.4.i.i.unr = phi i64 [ %n.5.1110.i.i, %B2232.i.i.preheader ], [ %.2503.i.i.prol, %B2232.i.i.prol ]
  %331 = icmp eq i64 %n.3.1.i.i205.i, %.neg
  br i1 %331, label %B2294.i.i, label %B2232.i.i

B2232.i.i:                                        ; preds = %B2232.i.i.prol.loopexit, %B2232.i.i
  %i.2.4.i.i = phi i64 [ %.2503.i.i.1, %B2232.i.i ], [ %i.2.4.i.i.unr, %B2232.i.i.prol.loopexit ]
  %.2451.i.i = icmp slt i64 %i.2.4.i.i, 0
  %.2452.i.i = select i1 %.2451.i.i, i64 %.339.i.i, i64 0
  %332 = getelementptr i32, ptr %.345.i.i, i64 %i.2.4.i.i
  %.2466.i.i = getelementptr i32, ptr %332, i64 %.2452.i.i
  %.2467.i.i = load i32, ptr %.2466.i.i, align 4, !noalias !51
  %333 = xor i32 %.2467.i.i, -1
  store i32 %333, ptr %.2466.i.i, align 4, !noalias !51
  %.2451.i.i.1 = icmp slt i64 %i.2.4.i.i, -1
  %.2452.i.i.1 = select i1 %.2451.i.i.1, i64 %.339.i.i, i64 0
  %334 = getelementptr i32, ptr %.345.i.i, i64 %i.2.4.i.i
  %335 = getelementptr i8, ptr %334, i64 4
  %.2466.i.i.1 = getelementptr i32, ptr %335, i64 %.2452.i.i.1
  %.2467.i.i.1 = load i32, ptr %.2466.i.i.1, align 4, !noalias !51
  %336 = xor i32 %.2467.i.i.1, -1
  store i32 %336, ptr %.2466.i.i.1, align 4, !noalias !51
  %.2503.i.i.1 = add nsw i64 %i.2.4.i.i, 2
  %exitcond.not.i206.i.1 = icmp eq i64 %.2503.i.i.1, %n.3.1.i.i205.i
  br i1 %exitcond.not.i206.i.1, label %B2294.i.i, label %B2232.i.i

B2294.i.i:                                        ; preds = %B2232.i.i.prol.loopexit, %B2232.i.i, %tokens.several.exit.i204.i, %B2104.i.i
  %n.7.3.i.i = phi i64 [ %n.3.1.i.i205.i, %tokens.several.exit.i204.i ], [ %n.5.1110.i.i, %B2104.i.i ], [ %n.3.1.i.i205.i, %B2232.i.i ], [ %n.3.1.i.i205.i, %B2232.i.i.prol.loopexit ]
  %.2573.i.i = load i32, ptr %.1894.i.i, align 4, !noalias !51
  %.2605.i.i = load i32, ptr %.1926.i.i, align 4, !noalias !51
  %.2606.i.i = icmp slt i32 %.2573.i.i, %.2605.i.i
  br i1 %.2606.i.i, label %B2336.i.i, label %B2513.i.i

B2336.i.i:                                        ; preds = %B2294.i.i
  %.2609.i.i = shl i64 %one.3.333.i.i, 32
  %.2613.i.i = add nsw i64 %two.2.334.i.i, 1
  %.2616.i.i = or i64 %.2609.i.i, %.2613.i.i
  %.2632.i.i = icmp slt i64 %size.5.1112.i.i, 0
  %.2633.i.i = select i1 %.2632.i.i, i64 %.301.i.i, i64 0
  %337 = getelementptr i64, ptr %.307.i.i, i64 %size.5.1112.i.i
  %.2647.i.i = getelementptr i64, ptr %337, i64 %.2633.i.i
  store i64 %.1644.0108.i.i, ptr %.2647.i.i, align 8, !noalias !51
  %.2666.i.i = icmp slt i64 %size.5.1112.i.i, -1
  %.2667.i.i = select i1 %.2666.i.i, i64 %.301.i.i, i64 0
  %338 = getelementptr i8, ptr %337, i64 8
  %.2681.i.i = getelementptr i64, ptr %338, i64 %.2667.i.i
  store i64 %.2616.i.i, ptr %.2681.i.i, align 8, !noalias !51
  %.2684.i.i = add nsw i64 %size.5.1112.i.i, 2
  br label %B2513.i.i

B2396.i199.i:                                     ; preds = %B2513.i.i, %B1404.i.i
  %n.5.1.lcssa.i.i = phi i64 [ %n.3.0.i.i, %B1404.i.i ], [ %n.6.2.i.i, %B2513.i.i ]
  %size.5.1.lcssa.i.i = phi i64 [ %size.4.0.i.i, %B1404.i.i ], [ %size.6.2.i.i, %B2513.i.i ]
  %.2724.i.i = add nsw i64 %front.4.0.i.i, 2
  %.2731.i.i = mul nsw i64 %.2724.i.i, 192
  %.2762.i.i = load i64, ptr %.177.i.i, align 8, !noalias !51
  %.2763.i.i = add nsw i64 %.2762.i.i, 32768
  %.2764.i.i = icmp sgt i64 %.2731.i.i, %.2763.i.i
  br i1 %.2764.i.i, label %B304.endif.i, label %B2498.i.i

B2498.i.i:                                        ; preds = %B2396.i199.i
  %.2810.i.i = icmp slt i64 %.2724.i.i, %size.5.1.lcssa.i.i
  br i1 %.2810.i.i, label %B662.i.i, label %B304.endif.i

B2513.i.i:                                        ; preds = %B76.if.i.i.i, %B2336.i.i, %B2294.i.i, %B2034.i.i, %B1512.i.i, %B1440.i.i
  %n.6.2.i.i = phi i64 [ %n.5.1110.i.i, %B2034.i.i ], [ %n.5.1110.i.i, %B1440.i.i ], [ %n.5.1110.i.i, %B1512.i.i ], [ %n.7.3.i.i, %B2336.i.i ], [ %n.7.3.i.i, %B2294.i.i ], [ %n.5.1110.i.i, %B76.if.i.i.i ]
  %size.6.2.i.i = phi i64 [ %size.5.1112.i.i, %B2034.i.i ], [ %size.5.1112.i.i, %B1440.i.i ], [ %size.5.1112.i.i, %B1512.i.i ], [ %.2684.i.i, %B2336.i.i ], [ %size.5.1112.i.i, %B2294.i.i ], [ %size.5.1112.i.i, %B76.if.i.i.i ]
  %.1701.i.i = icmp sgt i64 %.1647.0109.i.i, 1
  br i1 %.1701.i.i, label %B1440.i.i, label %B2396.i199.i

B1826.if.i.i:                                     ; preds = %B1826.i.i
  %.2088.i.i = load ptr, ptr %excinfo.11.i.i, align 8, !noalias !51
  br label %B304.if.i

B1826.endif.i.i:                                  ; preds = %B1826.i.i
  %.2097.i.i = load i64, ptr %.2081.i.i, align 8, !noalias !51
  br label %B1858.i.i

B1908.if.i.i:                                     ; preds = %B1908.i.i
  %.2139.i.i = load ptr, ptr %excinfo.12.i.i, align 8, !noalias !51
  br label %B304.if.i

B1908.endif.i.i:                                  ; preds = %B1908.i.i
  %.2148.i.i = load i64, ptr %.2132.i.i, align 8, !noalias !51
  br label %B1940.i.i

B360.i:                                           ; preds = %B580
  store ptr null, ptr %excinfo.1.i229.i, align 8, !noalias !111
  %.24.i.i = getelementptr i8, ptr %.19, i64 120
  %.25.i.i = load i64, ptr %.24.i.i, align 8, !noalias !111
  %.27.i230.i = getelementptr i8, ptr %.19, i64 136
  %.28.i.i = load i64, ptr %.27.i230.i, align 8, !noalias !111
  %.34.i.i = inttoptr i64 %.25.i.i to ptr
  %.66.i.i = getelementptr i8, ptr %.19, i64 96
  %.67.i.i = load i64, ptr %.66.i.i, align 8, !noalias !111
  %.69.i231.i = getelementptr i8, ptr %.19, i64 112
  %.70.i.i = load i64, ptr %.69.i231.i, align 8, !noalias !111
  %.76.i.i = inttoptr i64 %.67.i.i to ptr
  %.104.i.i = getelementptr i8, ptr %.19, i64 192
  %.105.i.i = load i64, ptr %.104.i.i, align 8, !noalias !111
  %.107.i232.i = getelementptr i8, ptr %.19, i64 208
  %.108.i.i = load i64, ptr %.107.i232.i, align 8, !noalias !111
  %.114.i.i = inttoptr i64 %.105.i.i to ptr
  %.155.i.i = getelementptr i8, ptr %.19, i64 624
  %.156.i.i = load i64, ptr %.155.i.i, align 8, !noalias !111
  %.165.i.i = inttoptr i64 %.156.i.i to ptr
  %.193.i.i = getelementptr i8, ptr %.19, i64 360
  %.194.i.i = load i64, ptr %.193.i.i, align 8, !noalias !111
  %.196.i233.i = getelementptr i8, ptr %.19, i64 376
  %.197.i.i = load i64, ptr %.196.i233.i, align 8, !noalias !111
  %.203.i.i = inttoptr i64 %.194.i.i to ptr
  store i64 %arg.x, ptr %.203.i.i, align 8, !noalias !111
  br label %B248.i.i

B248.i.i:                                         ; preds = %B858.i.i, %B360.i
  %count.5.0.i.i = phi i64 [ 1, %B360.i ], [ %count.3.2.i.i, %B858.i.i ]
  %i.2.0.i.i = phi i64 [ 0, %B360.i ], [ %.309.i.i, %B858.i.i ]
  %.303.i.i = getelementptr i64, ptr %.203.i.i, i64 %i.2.0.i.i
  %.304.i.i = load i64, ptr %.303.i.i, align 8, !noalias !111
  %.309.i.i = add nuw nsw i64 %i.2.0.i.i, 1
  %.342.i.i = icmp slt i64 %.304.i.i, 0
  %.343.i.i = select i1 %.342.i.i, i64 %.28.i.i, i64 0
  %.344.i.i = add i64 %.343.i.i, %.304.i.i
  %.idx.i234.i = shl i64 %.344.i.i, 6
  %339 = getelementptr i8, ptr %.34.i.i, i64 %.idx.i234.i
  %.478.i.i = getelementptr i8, ptr %339, i64 24
  %.479.i235.i = load i64, ptr %.478.i.i, align 8, !noalias !111
  %.5626.not.i.i = icmp slt i64 %.479.i235.i, 1
  br i1 %.5626.not.i.i, label %B570.if.i.i.preheader, label %B390.if.preheader.i.i

B570.if.i.i.preheader:                            ; preds = %B390.loopexit.i.i, %B248.i.i
  br label %B570.if.i.i

B390.if.preheader.i.i:                            ; preds = %B248.i.i
  %.368.i.i = getelementptr i8, ptr %339, i64 16
  %.369.i.i = load i64, ptr %.368.i.i, align 8, !noalias !111
  br label %B390.if.i.i

B390.loopexit.i.i:                                ; preds = %B458.i.i
  %.562.i.i = icmp sgt i64 %.507.08.i.i, 1
  br i1 %.562.i.i, label %B390.if.i.i, label %B570.if.i.i.preheader

B458.i.i:                                         ; preds = %B458.if.i.i.3, %B390.if.i.i
  %.725.0.i.i = phi i64 [ 0, %B390.if.i.i ], [ %.794.i.i.3, %B458.if.i.i.3 ]
  %exitcond.not.i237.i = icmp eq i64 %.725.0.i.i, 256
  br i1 %exitcond.not.i237.i, label %B390.loopexit.i.i, label %B458.if.i.i

B600.i.i:                                         ; preds = %B570.if.i.i
  store i64 0, ptr %.1094.i.i, align 8, !noalias !111
  %.1100.i.i = call fastcc i32 @states.step(ptr %.1094.i.i, ptr %excinfo.1.i229.i, ptr %.19, i64 %.304.i.i, i64 %.948.013.i.i)
  %.1102.not.i.i = icmp eq i32 %.1100.i.i, 0
  %.1110.i.i = load i64, ptr %.1094.i.i, align 8, !noalias !111
  br i1 %.1102.not.i.i, label %B600.endif.i.i, label %B360.if.i, !prof !4

B700.i.i:                                         ; preds = %B600.endif.i.i
  %.1151.i.i = icmp sgt i64 %.1110.i.i, -1
  %.12359.not.i.i = icmp slt i64 %count.2.115.i.i, 1
  br i1 %.12359.not.i.i, label %B776.i.i, label %B742.if.i.i.preheader

B742.if.i.i.preheader:                            ; preds = %B700.i.i
  %xtraiter929 = and i64 %count.2.115.i.i, 3
  %340 = icmp ult i64 %count.2.115.i.i, 4
  br i1 %340, label %B742.if.i.i.epil.preheader, label %B742.if.i.i.preheader.new

B742.if.i.i.preheader.new:                        ; preds = %B742.if.i.i.preheader
  %unroll_iter933 = and i64 %count.2.115.i.i, 9223372036854775804
  br label %B742.if.i.i

B750.i.i:                                         ; preds = %B742.if.i.i
  %341 = getelementptr i64, ptr %.203.i.i, i64 %.1179.010.i.i
  %.1314.i.i = load i64, ptr %341, align 8, !noalias !111
  %.1318.i239.i = icmp ne i64 %.1314.i.i, %.1110.i.i
  br i1 %.1318.i239.i, label %B750.i.i.1, label %B772.i.i.2

B750.i.i.1:                                       ; preds = %B750.i.i
  %342 = getelementptr i64, ptr %.203.i.i, i64 %.1179.010.i.i
  %343 = getelementptr i8, ptr %342, i64 8
  %.1314.i.i.1 = load i64, ptr %343, align 8, !noalias !111
  %.1318.i239.i.1 = icmp ne i64 %.1314.i.i.1, %.1110.i.i
  br i1 %.1318.i239.i.1, label %B750.i.i.2, label %B772.i.i.2

B750.i.i.2:                                       ; preds = %B750.i.i.1
  %344 = getelementptr i64, ptr %.203.i.i, i64 %.1179.010.i.i
  %345 = getelementptr i8, ptr %344, i64 16
  %.1314.i.i.2 = load i64, ptr %345, align 8, !noalias !111
  %.1318.i239.i.2 = icmp ne i64 %.1314.i.i.2, %.1110.i.i
  br label %B772.i.i.2

B772.i.i.2:                                       ; preds = %B750.i.i, %B742.if.i.i, %B750.i.i.2, %B750.i.i.1
  %"$phi772.2.2.4.i.i.2" = phi i1 [ %.1318.i239.i.2, %B750.i.i.2 ], [ false, %B750.i.i.1 ], [ false, %B742.if.i.i ], [ false, %B750.i.i ]
  %.1248.i.i.3 = add nuw nsw i64 %.1179.010.i.i, 4
  br i1 %"$phi772.2.2.4.i.i.2", label %B750.i.i.3, label %B772.i.i.3

B750.i.i.3:                                       ; preds = %B772.i.i.2
  %346 = getelementptr i64, ptr %.203.i.i, i64 %.1179.010.i.i
  %347 = getelementptr i8, ptr %346, i64 24
  %.1314.i.i.3 = load i64, ptr %347, align 8, !noalias !111
  %.1318.i239.i.3 = icmp ne i64 %.1314.i.i.3, %.1110.i.i
  br label %B772.i.i.3

B772.i.i.3:                                       ; preds = %B750.i.i.3, %B772.i.i.2
  %"$phi772.2.2.4.i.i.3" = phi i1 [ %.1318.i239.i.3, %B750.i.i.3 ], [ false, %B772.i.i.2 ]
  %niter934.next.3 = add i64 %niter934, 4
  %niter934.ncmp.3 = icmp eq i64 %niter934.next.3, %unroll_iter933
  br i1 %niter934.ncmp.3, label %B776.i.i.loopexit.unr-lcssa, label %B742.if.i.i

B776.i.i.loopexit.unr-lcssa:                      ; preds = %B772.i.i.3
  %lcmp.mod930.not = icmp eq i64 %xtraiter929, 0
  br i1 %lcmp.mod930.not, label %B776.i.i, label %B742.if.i.i.epil.preheader

B742.if.i.i.epil.preheader:                       ; preds = %B776.i.i.loopexit.unr-lcssa, %B742.if.i.i.preheader
  %new.2.312.i.i.epil.init = phi i1 [ %.1151.i.i, %B742.if.i.i.preheader ], [ %"$phi772.2.2.4.i.i.3", %B776.i.i.loopexit.unr-lcssa ]
  %.1179.010.i.i.epil.init = phi i64 [ 0, %B742.if.i.i.preheader ], [ %.1248.i.i.3, %B776.i.i.loopexit.unr-lcssa ]
  %lcmp.mod932 = icmp ne i64 %xtraiter929, 0
  tail call void @llvm.assume(i1 %lcmp.mod932)
  br label %B742.if.i.i.epil

B742.if.i.i.epil:                                 ; preds = %B772.i.i.epil, %B742.if.i.i.epil.preheader
  %new.2.312.i.i.epil = phi i1 [ %"$phi772.2.2.4.i.i.epil", %B772.i.i.epil ], [ %new.2.312.i.i.epil.init, %B742.if.i.i.epil.preheader ]
  %.1179.010.i.i.epil = phi i64 [ %.1248.i.i.epil, %B772.i.i.epil ], [ %.1179.010.i.i.epil.init, %B742.if.i.i.epil.preheader ]
  %epil.iter = phi i64 [ %epil.iter.next, %B772.i.i.epil ], [ 0, %B742.if.i.i.epil.preheader ]
  %.1248.i.i.epil = add nuw nsw i64 %.1179.010.i.i.epil, 1
  br i1 %new.2.312.i.i.epil, label %B750.i.i.epil, label %B772.i.i.epil

B750.i.i.epil:                                    ; preds = %B742.if.i.i.epil
  %348 = getelementptr i64, ptr %.203.i.i, i64 %.1179.010.i.i.epil
  %.1314.i.i.epil = load i64, ptr %348, align 8, !noalias !111
  %.1318.i239.i.epil = icmp ne i64 %.1314.i.i.epil, %.1110.i.i
  br label %B772.i.i.epil

B772.i.i.epil:                                    ; preds = %B750.i.i.epil, %B742.if.i.i.epil
  %"$phi772.2.2.4.i.i.epil" = phi i1 [ %.1318.i239.i.epil, %B750.i.i.epil ], [ false, %B742.if.i.i.epil ]
  %epil.iter.next = add i64 %epil.iter, 1
  %epil.iter.cmp.not = icmp eq i64 %epil.iter.next, %xtraiter929
  br i1 %epil.iter.cmp.not, label %B776.i.i, label %B742.if.i.i.epil, !llvm.loop !115

B776.i.i:                                         ; preds = %B776.i.i.loopexit.unr-lcssa, %B772.i.i.epil, %B700.i.i
  %new.2.3.lcssa.i.i = phi i1 [ %.1151.i.i, %B700.i.i ], [ %"$phi772.2.2.4.i.i.3", %B776.i.i.loopexit.unr-lcssa ], [ %"$phi772.2.2.4.i.i.epil", %B772.i.i.epil ]
  br i1 %new.2.3.lcssa.i.i, label %B780.i.i, label %B873.i.i

B780.i.i:                                         ; preds = %B776.i.i
  %.1345.i.i = icmp eq i64 %count.2.115.i.i, 16
  br i1 %.1345.i.i, label %B360.endif.i, label %B836.i.i

B836.i.i:                                         ; preds = %B780.i.i
  %.1386.i.i = icmp slt i64 %count.2.115.i.i, 0
  %.1387.i.i = select i1 %.1386.i.i, i64 %.197.i.i, i64 0
  %349 = getelementptr i64, ptr %.203.i.i, i64 %count.2.115.i.i
  %.1401.i.i = getelementptr i64, ptr %349, i64 %.1387.i.i
  store i64 %.1110.i.i, ptr %.1401.i.i, align 8, !noalias !111
  %.1406.i.i = add nsw i64 %count.2.115.i.i, 1
  br label %B873.i.i

B858.i.i:                                         ; preds = %B873.i.i
  %.1436.i.i = icmp slt i64 %.309.i.i, %count.3.2.i.i
  br i1 %.1436.i.i, label %B248.i.i, label %B360.endif.i

B873.i.i:                                         ; preds = %B570.if.i.i, %B836.i.i, %B776.i.i
  %count.3.2.i.i = phi i64 [ %count.2.115.i.i, %B570.if.i.i ], [ %.1406.i.i, %B836.i.i ], [ %count.2.115.i.i, %B776.i.i ]
  %exitcond17.not.i.i = icmp eq i64 %.1017.i.i, 128
  br i1 %exitcond17.not.i.i, label %B858.i.i, label %B570.if.i.i

B390.if.i.i:                                      ; preds = %B390.loopexit.i.i, %B390.if.preheader.i.i
  %.507.08.i.i = phi i64 [ %.571.i.i, %B390.loopexit.i.i ], [ %.479.i235.i, %B390.if.preheader.i.i ]
  %.504.07.i.i = phi i64 [ %.575.i.i, %B390.loopexit.i.i ], [ %.369.i.i, %B390.if.preheader.i.i ]
  %.571.i.i = add nsw i64 %.507.08.i.i, -1
  %.575.i.i = add i64 %.504.07.i.i, 1
  %.613.i.i = icmp slt i64 %.504.07.i.i, 0
  %.614.i236.i = select i1 %.613.i.i, i64 %.70.i.i, i64 0
  %350 = getelementptr i64, ptr %.76.i.i, i64 %.504.07.i.i
  %.628.i.i = getelementptr i64, ptr %350, i64 %.614.i236.i
  %.629.i.i = load i64, ptr %.628.i.i, align 8, !noalias !111
  %.630.i.i = ashr i64 %.629.i.i, 32
  %.649.i.i = icmp slt i64 %.630.i.i, 0
  %.650.i.i = select i1 %.649.i.i, i64 %.108.i.i, i64 0
  %.651.i.i = add i64 %.650.i.i, %.630.i.i
  %.668.i.i = shl i64 %.651.i.i, 8
  %.670.i.i = getelementptr i8, ptr %.114.i.i, i64 %.668.i.i
  br label %B458.i.i

B458.if.i.i:                                      ; preds = %B458.i.i
  %.794.i.i = or i64 %.725.0.i.i, 1
  %.847.i.i = getelementptr i8, ptr %.670.i.i, i64 %.725.0.i.i
  %.848.i.i = load i8, ptr %.847.i.i, align 1, !noalias !111
  %351 = getelementptr i8, ptr %.165.i.i, i64 %.725.0.i.i
  %.878.i.i = load i8, ptr %351, align 1, !noalias !111
  %.879.i.i = icmp ugt i8 %.848.i.i, %.878.i.i
  br i1 %.879.i.i, label %B360.endif.i, label %B458.if.i.i.1

B458.if.i.i.1:                                    ; preds = %B458.if.i.i
  %.794.i.i.1 = or i64 %.725.0.i.i, 2
  %.847.i.i.1 = getelementptr i8, ptr %.670.i.i, i64 %.794.i.i
  %.848.i.i.1 = load i8, ptr %.847.i.i.1, align 1, !noalias !111
  %352 = getelementptr i8, ptr %.165.i.i, i64 %.794.i.i
  %.878.i.i.1 = load i8, ptr %352, align 1, !noalias !111
  %.879.i.i.1 = icmp ugt i8 %.848.i.i.1, %.878.i.i.1
  br i1 %.879.i.i.1, label %B360.endif.i, label %B458.if.i.i.2

B458.if.i.i.2:                                    ; preds = %B458.if.i.i.1
  %.794.i.i.2 = or i64 %.725.0.i.i, 3
  %.847.i.i.2 = getelementptr i8, ptr %.670.i.i, i64 %.794.i.i.1
  %.848.i.i.2 = load i8, ptr %.847.i.i.2, align 1, !noalias !111
  %353 = getelementptr i8, ptr %.165.i.i, i64 %.794.i.i.1
  %.878.i.i.2 = load i8, ptr %353, align 1, !noalias !111
  %.879.i.i.2 = icmp ugt i8 %.848.i.i.2, %.878.i.i.2
  br i1 %.879.i.i.2, label %B360.endif.i, label %B458.if.i.i.3

B458.if.i.i.3:                                    ; preds = %B458.if.i.i.2
  %.794.i.i.3 = add nuw nsw i64 %.725.0.i.i, 4
  %.847.i.i.3 = getelementptr i8, ptr %.670.i.i, i64 %.794.i.i.2
  %.848.i.i.3 = load i8, ptr %.847.i.i.3, align 1, !noalias !111
  %354 = getelementptr i8, ptr %.165.i.i, i64 %.794.i.i.2
  %.878.i.i.3 = load i8, ptr %354, align 1, !noalias !111
  %.879.i.i.3 = icmp ugt i8 %.848.i.i.3, %.878.i.i.3
  br i1 %.879.i.i.3, label %B360.endif.i, label %B458.i.i

B570.if.i.i:                                      ; preds = %B570.if.i.i.preheader, %B873.i.i
  %count.2.115.i.i = phi i64 [ %count.3.2.i.i, %B873.i.i ], [ %count.5.0.i.i, %B570.if.i.i.preheader ]
  %.948.013.i.i = phi i64 [ %.1017.i.i, %B873.i.i ], [ 0, %B570.if.i.i.preheader ]
  %.1017.i.i = add nuw nsw i64 %.948.013.i.i, 1
  %355 = getelementptr i8, ptr %.165.i.i, i64 %.948.013.i.i
  %.1075.i.i = load i8, ptr %355, align 1, !noalias !111
  %.1077.i.i = icmp eq i8 %.1075.i.i, 0
  br i1 %.1077.i.i, label %B873.i.i, label %B600.i.i

B600.endif.i.i:                                   ; preds = %B600.i.i
  %.1124.i.i = icmp eq i64 %.1110.i.i, -3
  br i1 %.1124.i.i, label %B360.endif.i, label %B700.i.i

B742.if.i.i:                                      ; preds = %B772.i.i.3, %B742.if.i.i.preheader.new
  %new.2.312.i.i = phi i1 [ %.1151.i.i, %B742.if.i.i.preheader.new ], [ %"$phi772.2.2.4.i.i.3", %B772.i.i.3 ]
  %.1179.010.i.i = phi i64 [ 0, %B742.if.i.i.preheader.new ], [ %.1248.i.i.3, %B772.i.i.3 ]
  %niter934 = phi i64 [ 0, %B742.if.i.i.preheader.new ], [ %niter934.next.3, %B772.i.i.3 ]
  br i1 %new.2.312.i.i, label %B750.i.i, label %B772.i.i.2

B414.i:                                           ; preds = %B580
  store ptr null, ptr %excinfo.3.i.i, align 8, !noalias !117
  %.25.i240.i = getelementptr i8, ptr %.19, i64 456
  %.26.i241.i = load i64, ptr %.25.i240.i, align 8, !noalias !117
  %.28.i242.i = getelementptr i8, ptr %.19, i64 472
  %.29.i243.i = load i64, ptr %.28.i242.i, align 8, !noalias !117
  %.35.i.i = inttoptr i64 %.26.i241.i to ptr
  %.63.i.i = getelementptr i8, ptr %.19, i64 480
  %.64.i.i = load i64, ptr %.63.i.i, align 8, !noalias !117
  %.66.i244.i = getelementptr i8, ptr %.19, i64 496
  %.67.i245.i = load i64, ptr %.66.i244.i, align 8, !noalias !117
  %.73.i.i290 = inttoptr i64 %.64.i.i to ptr
  %.101.i.i = getelementptr i8, ptr %.19, i64 504
  %.102.i.i291 = load i64, ptr %.101.i.i, align 8, !noalias !117
  %.104.i246.i = getelementptr i8, ptr %.19, i64 520
  %.105.i247.i = load i64, ptr %.104.i246.i, align 8, !noalias !117
  %.111.i.i = inttoptr i64 %.102.i.i291 to ptr
  %.148.i.i = getelementptr i8, ptr %.19, i64 432
  %.149.i.i = load i64, ptr %.148.i.i, align 8, !noalias !117
  %.151.i.i = getelementptr i8, ptr %.19, i64 448
  %.152.i.i = load i64, ptr %.151.i.i, align 8, !noalias !117
  %.158.i248.i = inttoptr i64 %.149.i.i to ptr
  %.186.i.i = getelementptr i8, ptr %.19, i64 408
  %.187.i.i = load i64, ptr %.186.i.i, align 8, !noalias !117
  %.189.i.i = getelementptr i8, ptr %.19, i64 424
  %.190.i.i = load i64, ptr %.189.i.i, align 8, !noalias !117
  %.196.i249.i = inttoptr i64 %.187.i.i to ptr
  store i64 %arg.y, ptr %.158.i248.i, align 8, !noalias !117
  %.297.i250.i = getelementptr i8, ptr %.158.i248.i, i64 8
  store i64 %arg.x, ptr %.297.i250.i, align 8, !noalias !117
  %.49.i.i251.i = getelementptr i8, ptr %.19, i64 440
  %.49.i772.i.i = getelementptr i8, ptr %.19, i64 416
  br label %B350.i.i

B350.i.i:                                         ; preds = %B1164.i.i, %B414.i
  %n.3.0.i252.i = phi i64 [ 0, %B414.i ], [ %n.4.1.lcssa.i.i, %B1164.i.i ]
  %size.2.0.i.i = phi i64 [ 2, %B414.i ], [ %size.3.1.lcssa.i.i, %B1164.i.i ]
  %front.2.0.i.i = phi i64 [ 0, %B414.i ], [ %.419.i.i, %B1164.i.i ]
  %.341.i.i = getelementptr i64, ptr %.158.i248.i, i64 %front.2.0.i.i
  %.342.i253.i = load i64, ptr %.341.i.i, align 8, !noalias !117
  %.373.i254.i = getelementptr i8, ptr %.341.i.i, i64 8
  %.374.i255.i = load i64, ptr %.373.i254.i, align 8, !noalias !117
  %.375.i.i = and i64 %.374.i255.i, 65535
  %.408.i.i = ashr i64 %.374.i255.i, 16
  %.419.i.i = add nuw nsw i64 %front.2.0.i.i, 2
  %.440.i.i = icmp slt i64 %.342.i253.i, -1
  %.441.i256.i = select i1 %.440.i.i, i64 %.67.i245.i, i64 0
  %356 = getelementptr i32, ptr %.73.i.i290, i64 %.342.i253.i
  %357 = getelementptr i8, ptr %356, i64 4
  %.455.i.i = getelementptr i32, ptr %357, i64 %.441.i256.i
  %.456.i.i = load i32, ptr %.455.i.i, align 4, !noalias !117
  %.471.i.i = icmp slt i64 %.342.i253.i, 0
  %.472.i.i = select i1 %.471.i.i, i64 %.67.i245.i, i64 0
  %.486.i.i = getelementptr i32, ptr %356, i64 %.472.i.i
  %.487.i.i = load i32, ptr %.486.i.i, align 4, !noalias !117
  %.488.i.i = sext i32 %.456.i.i to i64
  %.489.i257.i = sext i32 %.487.i.i to i64
  %.490.i.i = sub nsw i64 %.488.i.i, %.489.i257.i
  %.496.i.i = shl nsw i64 %.490.i.i, 1
  %.50.i.i258.i = load i64, ptr %.49.i.i251.i, align 8, !noalias !121
  %.498.i.i = add i64 %.50.i.i258.i, %size.2.0.i.i
  %.51.i.i259.i = add i64 %.498.i.i, %.496.i.i
  %.83.i.i260.i = load i64, ptr %.151.i.i, align 8, !noalias !121
  %.84.not.i.i261.i = icmp sgt i64 %.51.i.i259.i, %.83.i.i260.i
  br i1 %.84.not.i.i261.i, label %B610.i.i, label %B554.i.i

B554.i.i:                                         ; preds = %B350.i.i
  %.540.i.i = mul nsw i64 %.490.i.i, 6
  %.544.i.i = add nsw i64 %.540.i.i, %n.3.0.i252.i
  %.50.i773.i.i = load i64, ptr %.49.i772.i.i, align 8, !noalias !124
  %.51.i774.i.i = add nsw i64 %.544.i.i, %.50.i773.i.i
  %.83.i776.i.i = load i64, ptr %.189.i.i, align 8, !noalias !124
  %.84.not.i777.i.i = icmp sgt i64 %.51.i774.i.i, %.83.i776.i.i
  br i1 %.84.not.i777.i.i, label %B610.i.i, label %B624.i.i

B610.i.i:                                         ; preds = %B554.i.i, %B350.i.i
  %.sink.i.i = phi i64 [ 54, %B350.i.i ], [ 51, %B554.i.i ]
  %.122.i780.i.i = getelementptr i8, ptr %.19, i64 816
  store i64 %.sink.i.i, ptr %.122.i780.i.i, align 8, !noalias !117
  br label %B414.endif.i

B624.i.i:                                         ; preds = %B554.i.i
  %.725.i262.i = sub i32 %.456.i.i, %.487.i.i
  %.76812.not.i.i = icmp slt i32 %.725.i262.i, 1
  br i1 %.76812.not.i.i, label %B1164.i.i, label %B686.if.lr.ph.i.i

B686.if.lr.ph.i.i:                                ; preds = %B624.i.i
  %.918.i.i = icmp eq i64 %.375.i.i, %arg.x
  %.1073.i.i = trunc i64 %.408.i.i to i32
  %.1108.i.i = zext i1 %.918.i.i to i64
  %.1109.i.i = add nsw i64 %.408.i.i, %.1108.i.i
  %.1276.i.i = trunc i64 %.1109.i.i to i32
  %.1366.i.i = shl i64 %.1109.i.i, 16
  br label %B686.if.i.i

B802.i266.i:                                      ; preds = %B688.endif.i.i
  %.910.i.i = icmp slt i64 %.861.i.i, 0
  %.925.i.i = icmp eq i64 %.861.i.i, %arg.x
  %or.cond.i267.i = select i1 %.918.i.i, i1 %.925.i.i, i1 false
  %or.cond18.i.i = select i1 %.910.i.i, i1 true, i1 %or.cond.i267.i
  br i1 %or.cond18.i.i, label %B838.i.i, label %B942.i.i

B838.i.i:                                         ; preds = %B802.i266.i
  br i1 %.918.i.i, label %B850.i.i, label %B930.i.i

B850.i.i:                                         ; preds = %B838.i.i
  %.964.i.i = load i8, ptr %.840.i.i, align 1, !noalias !117
  %358 = zext i8 %.964.i.i to i32
  br label %B930.i.i

B930.i.i:                                         ; preds = %B850.i.i, %B838.i.i
  %"$phi878.1.2.3.i.i" = phi i32 [ %358, %B850.i.i ], [ 256, %B838.i.i ]
  %.988.i.i = icmp slt i64 %n.4.115.i.i, 0
  %.989.i.i = select i1 %.988.i.i, i64 %.190.i.i, i64 0
  %359 = getelementptr i32, ptr %.196.i249.i, i64 %n.4.115.i.i
  %.1003.i.i = getelementptr i32, ptr %359, i64 %.989.i.i
  store i32 %"$phi878.1.2.3.i.i", ptr %.1003.i.i, align 4, !noalias !117
  %.1024.i.i = icmp slt i64 %n.4.115.i.i, -1
  %.1025.i.i = select i1 %.1024.i.i, i64 %.190.i.i, i64 0
  %360 = getelementptr i8, ptr %359, i64 4
  %.1039.i.i = getelementptr i32, ptr %360, i64 %.1025.i.i
  store i32 %.712.013.i.i, ptr %.1039.i.i, align 4, !noalias !117
  %.1057.i.i = icmp slt i64 %n.4.115.i.i, -2
  %.1058.i.i = select i1 %.1057.i.i, i64 %.190.i.i, i64 0
  %361 = getelementptr i8, ptr %359, i64 8
  %.1072.i.i = getelementptr i32, ptr %361, i64 %.1058.i.i
  store i32 %.1073.i.i, ptr %.1072.i.i, align 4, !noalias !117
  %.1076.i.i = add nsw i64 %n.4.115.i.i, 3
  %.1093.i.i = icmp sgt i64 %.861.i.i, -1
  br i1 %.1093.i.i, label %B942.i.i, label %B1162.i270.i

B942.i.i:                                         ; preds = %B930.i.i, %B802.i266.i
  %n.7.37.i.i = phi i64 [ %.1076.i.i, %B930.i.i ], [ %n.4.115.i.i, %B802.i266.i ]
  %.1129.i.i = select i1 %.825.i.i, i64 %.105.i247.i, i64 0
  %362 = getelementptr i32, ptr %.111.i.i, i64 %.1129.i.i
  %.1143.i.i = getelementptr i32, ptr %362, i64 %.812.i.i
  %.1144.i.i = load i32, ptr %.1143.i.i, align 4, !noalias !117
  %.1146.not.i.i = icmp eq i32 %.1144.i.i, -1
  br i1 %.1146.not.i.i, label %B1070.i.i, label %B994.i.i

B994.i.i:                                         ; preds = %B942.i.i
  %.1194.i.i = icmp slt i64 %n.7.37.i.i, 0
  %.1195.i.i = select i1 %.1194.i.i, i64 %.190.i.i, i64 0
  %363 = getelementptr i32, ptr %.196.i249.i, i64 %n.7.37.i.i
  %.1209.i.i = getelementptr i32, ptr %363, i64 %.1195.i.i
  store i32 257, ptr %.1209.i.i, align 4, !noalias !117
  %.1227.i.i = icmp slt i64 %n.7.37.i.i, -1
  %.1228.i.i = select i1 %.1227.i.i, i64 %.190.i.i, i64 0
  %364 = getelementptr i8, ptr %363, i64 4
  %.1242.i.i = getelementptr i32, ptr %364, i64 %.1228.i.i
  store i32 %.1144.i.i, ptr %.1242.i.i, align 4, !noalias !117
  %.1260.i.i = icmp slt i64 %n.7.37.i.i, -2
  %.1261.i.i = select i1 %.1260.i.i, i64 %.190.i.i, i64 0
  %365 = getelementptr i8, ptr %363, i64 8
  %.1275.i.i = getelementptr i32, ptr %365, i64 %.1261.i.i
  store i32 %.1276.i.i, ptr %.1275.i.i, align 4, !noalias !117
  %.1279.i.i = add nsw i64 %n.7.37.i.i, 3
  br label %B1070.i.i

B1070.i.i:                                        ; preds = %B994.i.i, %B942.i.i
  %n.6.3.i268.i = phi i64 [ %.1279.i.i, %B994.i.i ], [ %n.7.37.i.i, %B942.i.i ]
  %.1309.i.i = select i1 %.825.i.i, i64 %.67.i245.i, i64 0
  %366 = getelementptr i32, ptr %.73.i.i290, i64 %.1309.i.i
  %.1323.i.i = getelementptr i32, ptr %366, i64 %.812.i.i
  %.1324.i269.i = load i32, ptr %.1323.i.i, align 4, !noalias !117
  %.1341.i.i = icmp slt i32 %.712.013.i.i, -1
  %.1342.i.i = select i1 %.1341.i.i, i64 %.67.i245.i, i64 0
  %367 = getelementptr i32, ptr %.73.i.i290, i64 %.812.i.i
  %368 = getelementptr i8, ptr %367, i64 4
  %.1356.i.i = getelementptr i32, ptr %368, i64 %.1342.i.i
  %.1357.i.i = load i32, ptr %.1356.i.i, align 4, !noalias !117
  %.1358.i.i = icmp slt i32 %.1324.i269.i, %.1357.i.i
  br i1 %.1358.i.i, label %B1112.i271.i, label %B1162.i270.i

B1112.i271.i:                                     ; preds = %B1070.i.i
  %.1370.i.i = or i64 %.861.i.i, %.1366.i.i
  %.1388.i.i = icmp slt i64 %size.3.116.i.i, 0
  %.1389.i.i = select i1 %.1388.i.i, i64 %.152.i.i, i64 0
  %369 = getelementptr i64, ptr %.158.i248.i, i64 %size.3.116.i.i
  %.1403.i.i = getelementptr i64, ptr %369, i64 %.1389.i.i
  store i64 %.812.i.i, ptr %.1403.i.i, align 8, !noalias !117
  %.1423.i.i = icmp slt i64 %size.3.116.i.i, -1
  %.1424.i.i = select i1 %.1423.i.i, i64 %.152.i.i, i64 0
  %370 = getelementptr i8, ptr %369, i64 8
  %.1438.i.i = getelementptr i64, ptr %370, i64 %.1424.i.i
  store i64 %.1370.i.i, ptr %.1438.i.i, align 8, !noalias !117
  %.1441.i.i = add nsw i64 %size.3.116.i.i, 2
  br label %B1162.i270.i

B1162.i270.i:                                     ; preds = %B1112.i271.i, %B1070.i.i, %B930.i.i
  %n.5.2.i.i = phi i64 [ %n.6.3.i268.i, %B1112.i271.i ], [ %n.6.3.i268.i, %B1070.i.i ], [ %.1076.i.i, %B930.i.i ]
  %size.4.2.i.i = phi i64 [ %.1441.i.i, %B1112.i271.i ], [ %size.3.116.i.i, %B1070.i.i ], [ %size.3.116.i.i, %B930.i.i ]
  %.768.i.i = icmp ugt i32 %.715.014.i.i, 1
  br i1 %.768.i.i, label %B686.if.i.i, label %B1164.i.i

B1164.i.i:                                        ; preds = %B1162.i270.i, %B624.i.i
  %n.4.1.lcssa.i.i = phi i64 [ %n.3.0.i252.i, %B624.i.i ], [ %n.5.2.i.i, %B1162.i270.i ]
  %size.3.1.lcssa.i.i = phi i64 [ %size.2.0.i.i, %B624.i.i ], [ %size.4.2.i.i, %B1162.i270.i ]
  %.1492.i.i = icmp slt i64 %.419.i.i, %size.3.1.lcssa.i.i
  br i1 %.1492.i.i, label %B350.i.i, label %B414.endif.i

B686.if.i.i:                                      ; preds = %B1162.i270.i, %B686.if.lr.ph.i.i
  %size.3.116.i.i = phi i64 [ %size.2.0.i.i, %B686.if.lr.ph.i.i ], [ %size.4.2.i.i, %B1162.i270.i ]
  %n.4.115.i.i = phi i64 [ %n.3.0.i252.i, %B686.if.lr.ph.i.i ], [ %n.5.2.i.i, %B1162.i270.i ]
  %.715.014.i.i = phi i32 [ %.725.i262.i, %B686.if.lr.ph.i.i ], [ %.777.i.i, %B1162.i270.i ]
  %.712.013.i.i = phi i32 [ %.487.i.i, %B686.if.lr.ph.i.i ], [ %.781.i.i, %B1162.i270.i ]
  %.777.i.i = add nsw i32 %.715.014.i.i, -1
  %.781.i.i = add i32 %.712.013.i.i, 1
  %.812.i.i = sext i32 %.712.013.i.i to i64
  %.825.i.i = icmp slt i32 %.712.013.i.i, 0
  %.826.i.i = select i1 %.825.i.i, i64 %.29.i243.i, i64 0
  %371 = getelementptr i8, ptr %.35.i.i, i64 %.826.i.i
  %.840.i.i = getelementptr i8, ptr %371, i64 %.812.i.i
  %.841.i.i = load i8, ptr %.840.i.i, align 1, !noalias !117
  %.842.i263.i = zext i8 %.841.i.i to i64
  store i64 0, ptr %.845.i.i, align 8, !noalias !117
  %.851.i.i = call fastcc i32 @states.step(ptr %.845.i.i, ptr %excinfo.3.i.i, ptr %.19, i64 %.375.i.i, i64 %.842.i263.i)
  %.853.not.i.i = icmp eq i32 %.851.i.i, 0
  %.861.i.i = load i64, ptr %.845.i.i, align 8, !noalias !117
  br i1 %.853.not.i.i, label %B688.endif.i.i, label %B414.if.i, !prof !4

B688.endif.i.i:                                   ; preds = %B686.if.i.i
  %.875.i265.i = icmp eq i64 %.861.i.i, -3
  br i1 %.875.i265.i, label %B414.endif.i, label %B802.i266.i

B470.i:                                           ; preds = %B580
  store ptr null, ptr %excinfo.2.i273.i, align 8, !noalias !127
  %.25.i274.i = getelementptr i8, ptr %.19, i64 120
  %.26.i275.i = load i64, ptr %.25.i274.i, align 8, !noalias !127
  %.35.i276.i = inttoptr i64 %.26.i275.i to ptr
  %.67.i277.i = getelementptr i8, ptr %.19, i64 96
  %.68.i278.i = load i64, ptr %.67.i277.i, align 8, !noalias !127
  %.70.i279.i = getelementptr i8, ptr %.19, i64 112
  %.71.i280.i = load i64, ptr %.70.i279.i, align 8, !noalias !127
  %.77.i.i = inttoptr i64 %.68.i278.i to ptr
  %.105.i281.i = getelementptr i8, ptr %.19, i64 192
  %.106.i282.i = load i64, ptr %.105.i281.i, align 8, !noalias !127
  %.108.i283.i = getelementptr i8, ptr %.19, i64 208
  %.109.i284.i = load i64, ptr %.108.i283.i, align 8, !noalias !127
  %.115.i.i = inttoptr i64 %.106.i282.i to ptr
  %.156.i285.i = getelementptr i8, ptr %.19, i64 480
  %.157.i286.i = load i64, ptr %.156.i285.i, align 8, !noalias !127
  %.159.i.i = getelementptr i8, ptr %.19, i64 496
  %.160.i287.i = load i64, ptr %.159.i.i, align 8, !noalias !127
  %.166.i.i = inttoptr i64 %.157.i286.i to ptr
  %.194.i288.i = getelementptr i8, ptr %.19, i64 456
  %.195.i289.i = load i64, ptr %.194.i288.i, align 8, !noalias !127
  %.197.i290.i = getelementptr i8, ptr %.19, i64 472
  %.198.i291.i = load i64, ptr %.197.i290.i, align 8, !noalias !127
  %.204.i.i = inttoptr i64 %.195.i289.i to ptr
  %.232.i.i = getelementptr i8, ptr %.19, i64 720
  %.233.i292.i = load i64, ptr %.232.i.i, align 8, !noalias !127
  %.235.i.i = getelementptr i8, ptr %.19, i64 736
  %.236.i.i = load i64, ptr %.235.i.i, align 8, !noalias !127
  %.242.i.i = inttoptr i64 %.233.i292.i to ptr
  %.279.i.i = getelementptr i8, ptr %.19, i64 432
  %.280.i293.i = load i64, ptr %.279.i.i, align 8, !noalias !127
  %.282.i.i = getelementptr i8, ptr %.19, i64 448
  %.283.i.i = load i64, ptr %.282.i.i, align 8, !noalias !127
  %.289.i.i = inttoptr i64 %.280.i293.i to ptr
  %.317.i.i = getelementptr i8, ptr %.19, i64 408
  %.318.i294.i = load i64, ptr %.317.i.i, align 8, !noalias !127
  %.320.i.i = getelementptr i8, ptr %.19, i64 424
  %.321.i295.i = load i64, ptr %.320.i.i, align 8, !noalias !127
  %.327.i.i = inttoptr i64 %.318.i294.i to ptr
  store i64 %arg.y, ptr %.289.i.i, align 8, !noalias !127
  %.417.i.i = getelementptr i8, ptr %.289.i.i, i64 8
  store i64 %arg.x, ptr %.417.i.i, align 8, !noalias !127
  %.49.i.i296.i = getelementptr i8, ptr %.19, i64 440
  %.49.i1117.i.i = getelementptr i8, ptr %.19, i64 416
  br label %B466.i.i

B466.i.i:                                         ; preds = %B1270.i.i, %B470.i
  %n.3.0.i297.i = phi i64 [ 0, %B470.i ], [ %n.2.1.lcssa.i.i, %B1270.i.i ]
  %size.2.0.i298.i = phi i64 [ 2, %B470.i ], [ %size.3.1.lcssa.i324.i, %B1270.i.i ]
  %front.2.0.i299.i = phi i64 [ 0, %B470.i ], [ %.502.i.i, %B1270.i.i ]
  %.461.i.i = getelementptr i64, ptr %.289.i.i, i64 %front.2.0.i299.i
  %.462.i.i = load i64, ptr %.461.i.i, align 8, !noalias !127
  %.493.i300.i = getelementptr i8, ptr %.461.i.i, i64 8
  %.494.i.i = load i64, ptr %.493.i300.i, align 8, !noalias !127
  %.502.i.i = add nuw nsw i64 %front.2.0.i299.i, 2
  %.524.i.i = icmp slt i64 %.462.i.i, -1
  %.525.i.i = select i1 %.524.i.i, i64 %.160.i287.i, i64 0
  %372 = getelementptr i32, ptr %.166.i.i, i64 %.462.i.i
  %373 = getelementptr i8, ptr %372, i64 4
  %.539.i.i = getelementptr i32, ptr %373, i64 %.525.i.i
  %.540.i301.i = load i32, ptr %.539.i.i, align 4, !noalias !127
  %.555.i.i = icmp slt i64 %.462.i.i, 0
  %.556.i.i = select i1 %.555.i.i, i64 %.160.i287.i, i64 0
  %.570.i.i = getelementptr i32, ptr %372, i64 %.556.i.i
  %.571.i302.i = load i32, ptr %.570.i.i, align 4, !noalias !127
  %.572.i.i = sext i32 %.540.i301.i to i64
  %.573.i.i = sext i32 %.571.i302.i to i64
  %.574.i303.i = sub nsw i64 %.572.i.i, %.573.i.i
  %.575.i304.i = shl nsw i64 %.574.i303.i, 1
  %.50.i.i305.i = load i64, ptr %.49.i.i296.i, align 8, !noalias !131
  %.577.i.i = add i64 %.50.i.i305.i, %size.2.0.i298.i
  %.51.i.i306.i = add i64 %.577.i.i, %.575.i304.i
  %.83.i.i307.i = load i64, ptr %.282.i.i, align 8, !noalias !131
  %.84.not.i.i308.i = icmp sgt i64 %.51.i.i306.i, %.83.i.i307.i
  br i1 %.84.not.i.i308.i, label %B470.endif.sink.split.i, label %B620.i.i

B620.i.i:                                         ; preds = %B466.i.i
  %.760.i.i = sub i32 %.540.i301.i, %.571.i302.i
  %.80413.not.i.i = icmp slt i32 %.760.i.i, 1
  br i1 %.80413.not.i.i, label %B1270.i.i, label %B684.if.i.i

B714.i.i:                                         ; preds = %B684.if.i.i
  %.912.i316.i = select i1 %.860.i311.i, i64 %.198.i291.i, i64 0
  %374 = getelementptr i8, ptr %.204.i.i, i64 %.912.i316.i
  %.926.i.i = getelementptr i8, ptr %374, i64 %.847.i310.i
  %.927.i.i = load i8, ptr %.926.i.i, align 1, !noalias !127
  %.928.i.i = zext i8 %.927.i.i to i64
  store i64 0, ptr %.931.i272.i, align 8, !noalias !127
  %.937.i.i = call fastcc i32 @states.step(ptr %.931.i272.i, ptr %excinfo.2.i273.i, ptr %.19, i64 %.494.i.i, i64 %.928.i.i)
  %.939.not.i.i = icmp eq i32 %.937.i.i, 0
  %.947.i.i = load i64, ptr %.931.i272.i, align 8, !noalias !127
  br i1 %.939.not.i.i, label %B714.endif.i.i, label %B470.if.i, !prof !4

B826.i.i:                                         ; preds = %B714.endif.i.i
  %.998.i318.i = icmp slt i64 %.947.i.i, 0
  br i1 %.998.i318.i, label %B1285.i.i, label %B840.i.i

B840.i.i:                                         ; preds = %B826.i.i
  %.1050.i.i = load i8, ptr %.875.i313.i, align 1, !noalias !127
  %375 = and i8 %.1050.i.i, 2
  %.1053.not.i.i = icmp eq i8 %375, 0
  br i1 %.1053.not.i.i, label %B1228.i322.i, label %B872.i319.i

B872.i319.i:                                      ; preds = %B840.i.i
  %.idx.i320.i = shl i64 %.947.i.i, 6
  %376 = getelementptr i8, ptr %.35.i276.i, i64 %.idx.i320.i
  %.1111.i.i = getelementptr i8, ptr %376, i64 32
  %.1112.i.i = load i64, ptr %.1111.i.i, align 8, !noalias !127
  %.1113.i.i = and i64 %.1112.i.i, 2
  %.1114.not.i.i = icmp eq i64 %.1113.i.i, 0
  br i1 %.1114.not.i.i, label %B1228.i322.i, label %B918.i.i

B918.i.i:                                         ; preds = %B872.i319.i
  %.1171.i.i = getelementptr i8, ptr %376, i64 16
  %.1172.i.i = load i64, ptr %.1171.i.i, align 8, !noalias !127
  %.1281.i.i = getelementptr i8, ptr %376, i64 24
  %.1282.i.i = load i64, ptr %.1281.i.i, align 8, !noalias !127
  %spec.select6.i.i = tail call i64 @llvm.smax.i64(i64 %.1282.i.i, i64 0)
  br label %B1034.i.i

B1034.i.i:                                        ; preds = %states.meet.exit.i334.i, %B918.i.i
  %.1307.0.i.i = phi i64 [ %.1172.i.i, %B918.i.i ], [ %.1379.i.i, %states.meet.exit.i334.i ]
  %.1310.0.i.i = phi i64 [ %spec.select6.i.i, %B918.i.i ], [ %.1375.i.i, %states.meet.exit.i334.i ]
  %.1366.i321.i = icmp sgt i64 %.1310.0.i.i, 0
  br i1 %.1366.i321.i, label %B1034.if.i.i, label %B1228.i322.i

B1130.i336.i:                                     ; preds = %states.meet.exit.i334.i
  %.1647.i.i = add nsw i64 %n.2.116.i.i, 1
  %.50.i1118.i.i = load i64, ptr %.49.i1117.i.i, align 8, !noalias !134
  %.51.i1119.i.i = add nsw i64 %.50.i1118.i.i, %.1647.i.i
  %.83.i1121.i.i = load i64, ptr %.320.i.i, align 8, !noalias !134
  %.84.not.i1122.i.i = icmp sgt i64 %.51.i1119.i.i, %.83.i1121.i.i
  br i1 %.84.not.i1122.i.i, label %B470.endif.sink.split.i, label %B1202.i.i

B1202.i.i:                                        ; preds = %B1130.i336.i
  %.1734.i.i = icmp slt i64 %n.2.116.i.i, 0
  %.1735.i.i = select i1 %.1734.i.i, i64 %.321.i295.i, i64 0
  %377 = getelementptr i32, ptr %.327.i.i, i64 %n.2.116.i.i
  %.1749.i.i = getelementptr i32, ptr %377, i64 %.1735.i.i
  store i32 %.747.015.i.i, ptr %.1749.i.i, align 4, !noalias !127
  br label %B1228.i322.i

B1228.i322.i:                                     ; preds = %B1034.i.i, %B1202.i.i, %B872.i319.i, %B840.i.i
  %n.5.3.i.i = phi i64 [ %.1647.i.i, %B1202.i.i ], [ %n.2.116.i.i, %B840.i.i ], [ %n.2.116.i.i, %B872.i319.i ], [ %n.2.116.i.i, %B1034.i.i ]
  %.1785.i.i = icmp slt i64 %size.3.117.i.i, 0
  %.1786.i.i = select i1 %.1785.i.i, i64 %.283.i.i, i64 0
  %378 = getelementptr i64, ptr %.289.i.i, i64 %size.3.117.i.i
  %.1800.i.i = getelementptr i64, ptr %378, i64 %.1786.i.i
  store i64 %.847.i310.i, ptr %.1800.i.i, align 8, !noalias !127
  %.1821.i.i = icmp slt i64 %size.3.117.i.i, -1
  %.1822.i.i = select i1 %.1821.i.i, i64 %.283.i.i, i64 0
  %379 = getelementptr i8, ptr %378, i64 8
  %.1836.i.i = getelementptr i64, ptr %379, i64 %.1822.i.i
  store i64 %.947.i.i, ptr %.1836.i.i, align 8, !noalias !127
  %.1841.i.i = add nsw i64 %size.3.117.i.i, 2
  br label %B1285.i.i

B1270.i.i:                                        ; preds = %B1285.i.i, %B620.i.i
  %n.2.1.lcssa.i.i = phi i64 [ %n.3.0.i297.i, %B620.i.i ], [ %n.4.2.i.i, %B1285.i.i ]
  %size.3.1.lcssa.i324.i = phi i64 [ %size.2.0.i298.i, %B620.i.i ], [ %size.4.2.i323.i, %B1285.i.i ]
  %.1869.i.i = icmp slt i64 %.502.i.i, %size.3.1.lcssa.i324.i
  br i1 %.1869.i.i, label %B466.i.i, label %B470.endif.i

B1285.i.i:                                        ; preds = %B684.if.i.i, %B1228.i322.i, %B826.i.i
  %n.4.2.i.i = phi i64 [ %n.5.3.i.i, %B1228.i322.i ], [ %n.2.116.i.i, %B684.if.i.i ], [ %n.2.116.i.i, %B826.i.i ]
  %size.4.2.i323.i = phi i64 [ %.1841.i.i, %B1228.i322.i ], [ %size.3.117.i.i, %B684.if.i.i ], [ %size.3.117.i.i, %B826.i.i ]
  %.804.i.i = icmp sgt i32 %.750.014.i.i, 1
  br i1 %.804.i.i, label %B684.if.i.i, label %B1270.i.i

B684.if.i.i:                                      ; preds = %B620.i.i, %B1285.i.i
  %size.3.117.i.i = phi i64 [ %size.4.2.i323.i, %B1285.i.i ], [ %size.2.0.i298.i, %B620.i.i ]
  %n.2.116.i.i = phi i64 [ %n.4.2.i.i, %B1285.i.i ], [ %n.3.0.i297.i, %B620.i.i ]
  %.747.015.i.i = phi i32 [ %.817.i.i, %B1285.i.i ], [ %.571.i302.i, %B620.i.i ]
  %.750.014.i.i = phi i32 [ %.813.i309.i, %B1285.i.i ], [ %.760.i.i, %B620.i.i ]
  %.813.i309.i = add nsw i32 %.750.014.i.i, -1
  %.817.i.i = add i32 %.747.015.i.i, 1
  %.847.i310.i = sext i32 %.747.015.i.i to i64
  %.860.i311.i = icmp slt i32 %.747.015.i.i, 0
  %.861.i312.i = select i1 %.860.i311.i, i64 %.236.i.i, i64 0
  %380 = getelementptr i8, ptr %.242.i.i, i64 %.861.i312.i
  %.875.i313.i = getelementptr i8, ptr %380, i64 %.847.i310.i
  %.876.i314.i = load i8, ptr %.875.i313.i, align 1, !noalias !127
  %.878.i315.i = icmp eq i8 %.876.i314.i, 0
  br i1 %.878.i315.i, label %B1285.i.i, label %B714.i.i

B714.endif.i.i:                                   ; preds = %B714.i.i
  %.961.i.i = icmp eq i64 %.947.i.i, -3
  br i1 %.961.i.i, label %B470.endif.i, label %B826.i.i

B1034.if.i.i:                                     ; preds = %B1034.i.i
  %.1420.i.i = icmp slt i64 %.1307.0.i.i, 0
  %.1421.i.i = select i1 %.1420.i.i, i64 %.71.i280.i, i64 0
  %381 = getelementptr i64, ptr %.77.i.i, i64 %.1307.0.i.i
  %.1435.i.i = getelementptr i64, ptr %381, i64 %.1421.i.i
  %.1436.i325.i = load i64, ptr %.1435.i.i, align 8, !noalias !127
  %.1437.i.i = ashr i64 %.1436.i325.i, 32
  %.1456.i.i = icmp slt i64 %.1437.i.i, 0
  %.1457.i.i = select i1 %.1456.i.i, i64 %.109.i284.i, i64 0
  %.1458.i.i = add i64 %.1457.i.i, %.1437.i.i
  %.1475.i.i = shl i64 %.1458.i.i, 8
  %.1477.i.i = getelementptr i8, ptr %.115.i.i, i64 %.1475.i.i
  br label %B64.if.i.i326.i

B64.if.i.i326.i:                                  ; preds = %B64.if.i.i326.i, %B1034.if.i.i
  %common.2.03.i.i327.i = phi i64 [ 0, %B1034.if.i.i ], [ %.214.i.i332.i.7, %B64.if.i.i326.i ]
  %.54.01.i.i328.i = phi i64 [ 0, %B1034.if.i.i ], [ %.125.i.i329.i.7, %B64.if.i.i326.i ]
  %382 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i328.i
  %.179.i.i330.i = load i8, ptr %382, align 1, !noalias !137
  %.212.i.i331.i = zext i8 %.179.i.i330.i to i64
  %.214.i.i332.i = or i64 %common.2.03.i.i327.i, %.212.i.i331.i
  %383 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i328.i
  %384 = getelementptr i8, ptr %383, i64 1
  %.179.i.i330.i.1 = load i8, ptr %384, align 1, !noalias !137
  %.212.i.i331.i.1 = zext i8 %.179.i.i330.i.1 to i64
  %.214.i.i332.i.1 = or i64 %.214.i.i332.i, %.212.i.i331.i.1
  %385 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i328.i
  %386 = getelementptr i8, ptr %385, i64 2
  %.179.i.i330.i.2 = load i8, ptr %386, align 1, !noalias !137
  %.212.i.i331.i.2 = zext i8 %.179.i.i330.i.2 to i64
  %.214.i.i332.i.2 = or i64 %.214.i.i332.i.1, %.212.i.i331.i.2
  %387 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i328.i
  %388 = getelementptr i8, ptr %387, i64 3
  %.179.i.i330.i.3 = load i8, ptr %388, align 1, !noalias !137
  %.212.i.i331.i.3 = zext i8 %.179.i.i330.i.3 to i64
  %.214.i.i332.i.3 = or i64 %.214.i.i332.i.2, %.212.i.i331.i.3
  %389 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i328.i
  %390 = getelementptr i8, ptr %389, i64 4
  %.179.i.i330.i.4 = load i8, ptr %390, align 1, !noalias !137
  %.212.i.i331.i.4 = zext i8 %.179.i.i330.i.4 to i64
  %.214.i.i332.i.4 = or i64 %.214.i.i332.i.3, %.212.i.i331.i.4
  %391 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i328.i
  %392 = getelementptr i8, ptr %391, i64 5
  %.179.i.i330.i.5 = load i8, ptr %392, align 1, !noalias !137
  %.212.i.i331.i.5 = zext i8 %.179.i.i330.i.5 to i64
  %.214.i.i332.i.5 = or i64 %.214.i.i332.i.4, %.212.i.i331.i.5
  %393 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i328.i
  %394 = getelementptr i8, ptr %393, i64 6
  %.179.i.i330.i.6 = load i8, ptr %394, align 1, !noalias !137
  %.212.i.i331.i.6 = zext i8 %.179.i.i330.i.6 to i64
  %.214.i.i332.i.6 = or i64 %.214.i.i332.i.5, %.212.i.i331.i.6
  %.125.i.i329.i.7 = add nuw nsw i64 %.54.01.i.i328.i, 8
  %395 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i328.i
  %396 = getelementptr i8, ptr %395, i64 7
  %.179.i.i330.i.7 = load i8, ptr %396, align 1, !noalias !137
  %.212.i.i331.i.7 = zext i8 %.179.i.i330.i.7 to i64
  %.214.i.i332.i.7 = or i64 %.214.i.i332.i.6, %.212.i.i331.i.7
  %exitcond.not.i.i333.i.7 = icmp eq i64 %.125.i.i329.i.7, 256
  br i1 %exitcond.not.i.i333.i.7, label %states.meet.exit.i334.i, label %B64.if.i.i326.i

states.meet.exit.i334.i:                          ; preds = %B64.if.i.i326.i
  %.1375.i.i = add nsw i64 %.1310.0.i.i, -1
  %.1379.i.i = add i64 %.1307.0.i.i, 1
  %.229.i.not.i335.i = icmp eq i64 %.214.i.i332.i.7, 0
  br i1 %.229.i.not.i335.i, label %B1130.i336.i, label %B1034.i.i

B526.i:                                           ; preds = %B580
  store ptr null, ptr %excinfo.2.i338.i, align 8, !noalias !140
  %.24.i339.i = getelementptr i8, ptr %.19, i64 456
  %.25.i340.i = load i64, ptr %.24.i339.i, align 8, !noalias !140
  %.27.i341.i = getelementptr i8, ptr %.19, i64 472
  %.28.i342.i = load i64, ptr %.27.i341.i, align 8, !noalias !140
  %.34.i343.i = inttoptr i64 %.25.i340.i to ptr
  %.62.i.i = getelementptr i8, ptr %.19, i64 480
  %.63.i344.i = load i64, ptr %.62.i.i, align 8, !noalias !140
  %.65.i.i = getelementptr i8, ptr %.19, i64 496
  %.66.i345.i = load i64, ptr %.65.i.i, align 8, !noalias !140
  %.72.i346.i = inttoptr i64 %.63.i344.i to ptr
  %.100.i.i = getelementptr i8, ptr %.19, i64 504
  %.101.i347.i = load i64, ptr %.100.i.i, align 8, !noalias !140
  %.103.i.i = getelementptr i8, ptr %.19, i64 520
  %.104.i348.i = load i64, ptr %.103.i.i, align 8, !noalias !140
  %.110.i349.i = inttoptr i64 %.101.i347.i to ptr
  %.147.i.i = getelementptr i8, ptr %.19, i64 432
  %.148.i350.i = load i64, ptr %.147.i.i, align 8, !noalias !140
  %.150.i.i = getelementptr i8, ptr %.19, i64 448
  %.151.i351.i = load i64, ptr %.150.i.i, align 8, !noalias !140
  %.157.i352.i = inttoptr i64 %.148.i350.i to ptr
  %.185.i.i = getelementptr i8, ptr %.19, i64 408
  %.186.i353.i = load i64, ptr %.185.i.i, align 8, !noalias !140
  %.188.i.i = getelementptr i8, ptr %.19, i64 424
  %.189.i354.i = load i64, ptr %.188.i.i, align 8, !noalias !140
  %.195.i355.i = inttoptr i64 %.186.i353.i to ptr
  store i64 0, ptr %.157.i352.i, align 8, !noalias !140
  %.285.i.i = getelementptr i8, ptr %.157.i352.i, i64 8
  store i64 %arg.x, ptr %.285.i.i, align 8, !noalias !140
  %.49.i.i356.i = getelementptr i8, ptr %.19, i64 440
  %.49.i721.i.i = getelementptr i8, ptr %.19, i64 416
  br label %B290.i.i

B290.i.i:                                         ; preds = %B886.i.i, %B526.i
  %n.5.0.i.i = phi i64 [ 0, %B526.i ], [ %n.2.1.lcssa.i373.i, %B886.i.i ]
  %front.2.0.i357.i = phi i64 [ 0, %B526.i ], [ %.374.i360.i, %B886.i.i ]
  %size.2.0.i358.i = phi i64 [ 2, %B526.i ], [ %size.3.1.lcssa.i374.i, %B886.i.i ]
  %.333.i.i = getelementptr i64, ptr %.157.i352.i, i64 %front.2.0.i357.i
  %.334.i.i = load i64, ptr %.333.i.i, align 8, !noalias !140
  %.365.i.i = getelementptr i8, ptr %.333.i.i, i64 8
  %.366.i359.i = load i64, ptr %.365.i.i, align 8, !noalias !140
  %.374.i360.i = add nuw nsw i64 %front.2.0.i357.i, 2
  %.396.i.i = icmp slt i64 %.334.i.i, -1
  %.397.i.i = select i1 %.396.i.i, i64 %.66.i345.i, i64 0
  %397 = getelementptr i32, ptr %.72.i346.i, i64 %.334.i.i
  %398 = getelementptr i8, ptr %397, i64 4
  %.411.i.i = getelementptr i32, ptr %398, i64 %.397.i.i
  %.412.i.i = load i32, ptr %.411.i.i, align 4, !noalias !140
  %.427.i.i = icmp slt i64 %.334.i.i, 0
  %.428.i.i = select i1 %.427.i.i, i64 %.66.i345.i, i64 0
  %.442.i361.i = getelementptr i32, ptr %397, i64 %.428.i.i
  %.443.i.i = load i32, ptr %.442.i361.i, align 4, !noalias !140
  %.444.i362.i = sext i32 %.412.i.i to i64
  %.445.i363.i = sext i32 %.443.i.i to i64
  %.446.i.i = sub nsw i64 %.444.i362.i, %.445.i363.i
  %.447.i.i = shl nsw i64 %.446.i.i, 1
  %.50.i.i364.i = load i64, ptr %.49.i.i356.i, align 8, !noalias !144
  %.449.i365.i = add i64 %.50.i.i364.i, %size.2.0.i358.i
  %.51.i.i366.i = add i64 %.449.i365.i, %.447.i.i
  %.83.i.i367.i = load i64, ptr %.150.i.i, align 8, !noalias !144
  %.84.not.i.i368.i = icmp sgt i64 %.51.i.i366.i, %.83.i.i367.i
  br i1 %.84.not.i.i368.i, label %B526.endif.sink.split.i, label %B444.i.i

B444.i.i:                                         ; preds = %B290.i.i
  %.626.i.i = sub i32 %.412.i.i, %.443.i.i
  %.66911.not.i.i = icmp slt i32 %.626.i.i, 1
  br i1 %.66911.not.i.i, label %B886.i.i, label %B506.if.i.i

B622.i.i:                                         ; preds = %B508.endif.i.i
  %.815.i.i = icmp sgt i64 %.762.i.i, -1
  br i1 %.815.i.i, label %B634.i.i, label %B884.i.i

B634.i.i:                                         ; preds = %B622.i.i
  %.841.i375.i = select i1 %.726.i.i, i64 %.104.i348.i, i64 0
  %399 = getelementptr i32, ptr %.110.i349.i, i64 %406
  %.855.i.i = getelementptr i32, ptr %399, i64 %.841.i375.i
  %.856.i.i = load i32, ptr %.855.i.i, align 4, !noalias !140
  %.862.not.i.i = icmp eq i32 %.856.i.i, -1
  br i1 %.862.not.i.i, label %B804.i.i, label %B698.i.i

B698.i.i:                                         ; preds = %B634.i.i
  %.868.i.i = add nsw i64 %n.2.114.i.i, 2
  %.50.i722.i.i = load i64, ptr %.49.i721.i.i, align 8, !noalias !147
  %.51.i723.i.i = add nsw i64 %.50.i722.i.i, %.868.i.i
  %.83.i725.i.i = load i64, ptr %.188.i.i, align 8, !noalias !147
  %.84.not.i726.i.i = icmp sgt i64 %.51.i723.i.i, %.83.i725.i.i
  br i1 %.84.not.i726.i.i, label %B526.endif.sink.split.i, label %B766.i.i

B766.i.i:                                         ; preds = %B698.i.i
  %.951.i.i = icmp slt i64 %n.2.114.i.i, 0
  %.952.i.i = select i1 %.951.i.i, i64 %.189.i354.i, i64 0
  %400 = getelementptr i32, ptr %.195.i355.i, i64 %n.2.114.i.i
  %.966.i.i = getelementptr i32, ptr %400, i64 %.952.i.i
  store i32 %.856.i.i, ptr %.966.i.i, align 4, !noalias !140
  %.987.i.i = icmp slt i64 %n.2.114.i.i, -1
  %.988.i376.i = select i1 %.987.i.i, i64 %.189.i354.i, i64 0
  %401 = getelementptr i8, ptr %400, i64 4
  %.1002.i.i = getelementptr i32, ptr %401, i64 %.988.i376.i
  %.1003.i377.i = trunc i64 %.762.i.i to i32
  store i32 %.1003.i377.i, ptr %.1002.i.i, align 4, !noalias !140
  br label %B804.i.i

B804.i.i:                                         ; preds = %B766.i.i, %B634.i.i
  %n.4.3.i.i = phi i64 [ %.868.i.i, %B766.i.i ], [ %n.2.114.i.i, %B634.i.i ]
  %.1038.i.i = select i1 %.726.i.i, i64 %.66.i345.i, i64 0
  %402 = getelementptr i32, ptr %.72.i346.i, i64 %406
  %.1052.i.i = getelementptr i32, ptr %402, i64 %.1038.i.i
  %.1053.i.i = load i32, ptr %.1052.i.i, align 4, !noalias !140
  %.1070.i.i = icmp slt i32 %.613.012.i.i, -1
  %.1071.i.i = select i1 %.1070.i.i, i64 %.66.i345.i, i64 0
  %403 = getelementptr i8, ptr %402, i64 4
  %.1085.i.i = getelementptr i32, ptr %403, i64 %.1071.i.i
  %.1086.i.i = load i32, ptr %.1085.i.i, align 4, !noalias !140
  %.1087.i.i = icmp slt i32 %.1053.i.i, %.1086.i.i
  br i1 %.1087.i.i, label %B846.i.i, label %B884.i.i

B846.i.i:                                         ; preds = %B804.i.i
  %.1109.i378.i = icmp slt i64 %size.3.115.i.i, 0
  %.1110.i379.i = select i1 %.1109.i378.i, i64 %.151.i351.i, i64 0
  %404 = getelementptr i64, ptr %.157.i352.i, i64 %size.3.115.i.i
  %.1124.i380.i = getelementptr i64, ptr %404, i64 %.1110.i379.i
  store i64 %406, ptr %.1124.i380.i, align 8, !noalias !140
  %.1145.i.i = icmp slt i64 %size.3.115.i.i, -1
  %.1146.i.i = select i1 %.1145.i.i, i64 %.151.i351.i, i64 0
  %405 = getelementptr i8, ptr %404, i64 8
  %.1160.i.i = getelementptr i64, ptr %405, i64 %.1146.i.i
  store i64 %.762.i.i, ptr %.1160.i.i, align 8, !noalias !140
  %.1165.i.i = add nsw i64 %size.3.115.i.i, 2
  br label %B884.i.i

B884.i.i:                                         ; preds = %B846.i.i, %B804.i.i, %B622.i.i
  %n.3.2.i.i = phi i64 [ %n.4.3.i.i, %B846.i.i ], [ %n.4.3.i.i, %B804.i.i ], [ %n.2.114.i.i, %B622.i.i ]
  %size.4.2.i372.i = phi i64 [ %.1165.i.i, %B846.i.i ], [ %size.3.115.i.i, %B804.i.i ], [ %size.3.115.i.i, %B622.i.i ]
  %.669.i.i = icmp ugt i32 %.616.013.i.i, 1
  br i1 %.669.i.i, label %B506.if.i.i, label %B886.i.i

B886.i.i:                                         ; preds = %B884.i.i, %B444.i.i
  %n.2.1.lcssa.i373.i = phi i64 [ %n.5.0.i.i, %B444.i.i ], [ %n.3.2.i.i, %B884.i.i ]
  %size.3.1.lcssa.i374.i = phi i64 [ %size.2.0.i358.i, %B444.i.i ], [ %size.4.2.i372.i, %B884.i.i ]
  %.1210.i.i = icmp slt i64 %.374.i360.i, %size.3.1.lcssa.i374.i
  br i1 %.1210.i.i, label %B290.i.i, label %B526.endif.i

B506.if.i.i:                                      ; preds = %B444.i.i, %B884.i.i
  %size.3.115.i.i = phi i64 [ %size.4.2.i372.i, %B884.i.i ], [ %size.2.0.i358.i, %B444.i.i ]
  %n.2.114.i.i = phi i64 [ %n.3.2.i.i, %B884.i.i ], [ %n.5.0.i.i, %B444.i.i ]
  %.616.013.i.i = phi i32 [ %.678.i.i, %B884.i.i ], [ %.626.i.i, %B444.i.i ]
  %.613.012.i.i = phi i32 [ %.682.i.i, %B884.i.i ], [ %.443.i.i, %B444.i.i ]
  %.678.i.i = add nsw i32 %.616.013.i.i, -1
  %.682.i.i = add i32 %.613.012.i.i, 1
  %406 = sext i32 %.613.012.i.i to i64
  %.726.i.i = icmp slt i32 %.613.012.i.i, 0
  %.727.i.i = select i1 %.726.i.i, i64 %.28.i342.i, i64 0
  %407 = getelementptr i8, ptr %.34.i343.i, i64 %406
  %.741.i369.i = getelementptr i8, ptr %407, i64 %.727.i.i
  %.742.i370.i = load i8, ptr %.741.i369.i, align 1, !noalias !140
  %.743.i.i = zext i8 %.742.i370.i to i64
  store i64 0, ptr %.746.i.i, align 8, !noalias !140
  %.752.i.i = call fastcc i32 @states.step(ptr %.746.i.i, ptr %excinfo.2.i338.i, ptr %.19, i64 %.366.i359.i, i64 %.743.i.i)
  %.754.not.i.i = icmp eq i32 %.752.i.i, 0
  %.762.i.i = load i64, ptr %.746.i.i, align 8, !noalias !140
  br i1 %.754.not.i.i, label %B508.endif.i.i, label %B526.if.i, !prof !4

B508.endif.i.i:                                   ; preds = %B506.if.i.i
  %.776.i.i = icmp eq i64 %.762.i.i, -3
  br i1 %.776.i.i, label %B526.endif.i, label %B622.i.i

B26.if.i:                                         ; preds = %B26.i
  %.40.i292 = load ptr, ptr %excinfo.1.i286, align 8, !noalias !12
  br label %B580.if

B26.endif.i:                                      ; preds = %B26.i
  %.49.i = load i64, ptr %.33.i, align 8, !noalias !12
  br label %B580.endif

B138.if.i:                                        ; preds = %B138.i
  %.85.i = load ptr, ptr %excinfo.2.i288, align 8, !noalias !12
  br label %B580.if

B138.endif.i:                                     ; preds = %B138.i
  %.94.i = load i64, ptr %.78.i287, align 8, !noalias !12
  br label %B580.endif

B250.if.i:                                        ; preds = %B2748.if.i.i, %B2282.if.i.i, %B2172.if.i.i, %B694.if.i.i, %B0.if.i.i
  %excinfo.3.0.i = phi ptr [ %.610.i.i, %B0.if.i.i ], [ %.742.i.i, %B694.if.i.i ], [ %.198.i.i.i.i, %B2172.if.i.i ], [ %.4293.i.i, %B2748.if.i.i ], [ %.3799.i.i, %B2282.if.i.i ]
  br label %B580.if

B250.endif.sink.split.i:                          ; preds = %B2748.endif.i.i, %B2434.i.i
  %.sink178.i = phi i64 [ 816, %B2434.i.i ], [ 888, %B2748.endif.i.i ]
  %.sink.i = phi i64 [ 51, %B2434.i.i ], [ 0, %B2748.endif.i.i ]
  %.122.i.i.i = getelementptr i8, ptr %.19, i64 %.sink178.i
  store i64 %.sink.i, ptr %.122.i.i.i, align 8, !noalias !16
  br label %B250.endif.i

B250.endif.i:                                     ; preds = %B694.endif.i.i, %states.meet.exit.i.i, %B2887.i.i, %B2374.i.i, %B250.endif.sink.split.i
  %.122.0.ph.i = phi i64 [ -3, %B2374.i.i ], [ -3, %B250.endif.sink.split.i ], [ %n.5.1.i.i, %B2887.i.i ], [ -1, %states.meet.exit.i.i ], [ -3, %B694.endif.i.i ]
  br label %B580.endif

B304.if.i:                                        ; preds = %B1908.if.i.i, %B1826.if.i.i, %B392.if.i.i.i, %B324.if.i.i.i
  %excinfo.4.0.i = phi ptr [ %.252.i.i.i.i, %B324.if.i.i.i ], [ %.252.i324.i.i.i, %B392.if.i.i.i ], [ %.2139.i.i, %B1908.if.i.i ], [ %.2088.i.i, %B1826.if.i.i ]
  br label %B580.if

B304.endif.sink.split.i:                          ; preds = %B1150.1.i.i, %B1150.i.i, %B1940.i.i, %B324.endif.i.i.i, %B422.i.i.i, %B422.thread16.i.i.i, %B324.endif.thread.i.i.i, %B1012.i.i, %B914.i.i
  %.16.i1628.i.i = add nsw i64 %front.4.0.i.i, 1
  store i64 %.16.i1628.i.i, ptr %.425, align 8, !noalias !51
  %.73.i1630.i.i = getelementptr i8, ptr %.19, i64 896
  store i64 %size.4.0.i.i, ptr %.73.i1630.i.i, align 8, !noalias !51
  %.102.i1631.i.i = getelementptr i8, ptr %.19, i64 904
  store i64 %n.3.0.i.i, ptr %.102.i1631.i.i, align 8, !noalias !51
  br label %B304.endif.i

B304.endif.i:                                     ; preds = %B2498.i.i, %B2396.i199.i, %B304.endif.sink.split.i, %B648.i.i
  %.163.0.ph.i = phi i64 [ %.553.i.i, %B648.i.i ], [ -3, %B304.endif.sink.split.i ], [ %n.5.1.lcssa.i.i, %B2498.i.i ], [ -1, %B2396.i199.i ]
  br label %B580.endif

B360.if.i:                                        ; preds = %B600.i.i
  %.1101.i.i = load ptr, ptr %excinfo.1.i229.i, align 8, !noalias !111
  br label %B580.if

B360.endif.i:                                     ; preds = %B858.i.i, %B600.endif.i.i, %B780.i.i, %B458.if.i.i, %B458.if.i.i.1, %B458.if.i.i.2, %B458.if.i.i.3
  %.207.0.ph.i = phi i64 [ 0, %B458.if.i.i ], [ -3, %B600.endif.i.i ], [ 0, %B458.if.i.i.3 ], [ 0, %B458.if.i.i.2 ], [ 0, %B458.if.i.i.1 ], [ 0, %B780.i.i ], [ 1, %B858.i.i ]
  br label %B580.endif

B414.if.i:                                        ; preds = %B686.if.i.i
  %.852.i.i = load ptr, ptr %excinfo.3.i.i, align 8, !noalias !117
  br label %B580.if

B414.endif.i:                                     ; preds = %B1164.i.i, %B688.endif.i.i, %B610.i.i
  %.248.0.ph.i = phi i64 [ -3, %B688.endif.i.i ], [ -3, %B610.i.i ], [ %n.4.1.lcssa.i.i, %B1164.i.i ]
  br label %B580.endif

B470.if.i:                                        ; preds = %B714.i.i
  %.938.i.i = load ptr, ptr %excinfo.2.i273.i, align 8, !noalias !127
  br label %B580.if

B470.endif.sink.split.i:                          ; preds = %B466.i.i, %B1130.i336.i
  %.sink179.i = phi i64 [ 51, %B1130.i336.i ], [ 54, %B466.i.i ]
  %.122.i.i337.i = getelementptr i8, ptr %.19, i64 816
  store i64 %.sink179.i, ptr %.122.i.i337.i, align 8, !noalias !127
  br label %B470.endif.i

B470.endif.i:                                     ; preds = %B1270.i.i, %B714.endif.i.i, %B470.endif.sink.split.i
  %.291.0.ph.i = phi i64 [ -3, %B470.endif.sink.split.i ], [ -3, %B714.endif.i.i ], [ %n.2.1.lcssa.i.i, %B1270.i.i ]
  br label %B580.endif

B526.if.i:                                        ; preds = %B506.if.i.i
  %.753.i.i = load ptr, ptr %excinfo.2.i338.i, align 8, !noalias !140
  br label %B580.if

B526.endif.sink.split.i:                          ; preds = %B290.i.i, %B698.i.i
  %.sink180.i = phi i64 [ 51, %B698.i.i ], [ 54, %B290.i.i ]
  %.122.i.i381.i = getelementptr i8, ptr %.19, i64 816
  store i64 %.sink180.i, ptr %.122.i.i381.i, align 8, !noalias !140
  br label %B526.endif.i

B526.endif.i:                                     ; preds = %B886.i.i, %B508.endif.i.i, %B526.endif.sink.split.i
  %.335.0.ph.i = phi i64 [ -3, %B526.endif.sink.split.i ], [ -3, %B508.endif.i.i ], [ %n.2.1.lcssa.i373.i, %B886.i.i ]
  br label %B580.endif

B642:                                             ; preds = %B558
  store ptr null, ptr %excinfo.2.i297, align 8, !noalias !150
  store ptr null, ptr %excinfo.4.i299, align 8, !noalias !150
  switch i64 %arg.request, label %B468.i [
    i64 0, label %B26.i366
    i64 2, label %B146.i
    i64 3, label %B202.i
    i64 4, label %B256.i
    i64 7, label %B380.i
    i64 6, label %B436.i
  ]

B26.i366:                                         ; preds = %B642
  store i64 0, ptr %.35.i, align 8, !noalias !150
  call fastcc void @terms.push(ptr %.35.i, ptr nonnull %.19, i64 %arg.x, i64 0)
  %.51.i = load i64, ptr %.35.i, align 8, !noalias !150
  store i64 0, ptr %.66.i, align 8, !noalias !150
  %.72.i = call fastcc i32 @states.state_of(ptr %.66.i, ptr %excinfo.2.i297, ptr nonnull %.19, i64 %.51.i)
  %.74.not.i = icmp eq i32 %.72.i, 0
  br i1 %.74.not.i, label %B26.endif.endif.i, label %B26.endif.if.i, !prof !4

B146.i:                                           ; preds = %B642
  store i64 0, ptr %.105.i, align 8, !noalias !150
  call fastcc void @terms.push(ptr %.105.i, ptr nonnull %.19, i64 %arg.x, i64 %arg.y)
  %.121.i = load i64, ptr %.105.i, align 8, !noalias !150
  br label %B642.endif

B202.i:                                           ; preds = %B642
  store i64 0, ptr %.149.i298, align 8, !noalias !150
  %.155.i = call fastcc i32 @states.join(ptr %.149.i298, ptr %excinfo.4.i299, ptr nonnull %.19, i64 %arg.x)
  %.157.not.i = icmp eq i32 %.155.i, 0
  br i1 %.157.not.i, label %B202.endif.i, label %B202.if.i, !prof !4

B256.i:                                           ; preds = %B642
  %.195.i = getelementptr i8, ptr %.19, i64 336
  %.196.i = load i64, ptr %.195.i, align 8, !noalias !150
  %.205.i = inttoptr i64 %.196.i to ptr
  store ptr null, ptr %excinfo.1.i.i296, align 8, !noalias !154
  %spec.select.i.i359 = tail call i64 @llvm.smax.i64(i64 %arg.y, i64 0)
  br label %B36.i.i

B36.i.i:                                          ; preds = %B38.endif.i.i, %B256.i
  %.55.0.i.i = phi i64 [ 0, %B256.i ], [ %.130.i.i364, %B38.endif.i.i ]
  %state.2.0.i.i = phi i64 [ %arg.x, %B256.i ], [ %.207.i.i, %B38.endif.i.i ]
  %exitcond.not.i = icmp eq i64 %.55.0.i.i, %spec.select.i.i359
  br i1 %exitcond.not.i, label %B256.endif.i, label %B36.if.i.i

B36.if.i.i:                                       ; preds = %B36.i.i
  %408 = getelementptr i8, ptr %.205.i, i64 %.55.0.i.i
  %.187.i.i360 = load i8, ptr %408, align 1, !noalias !154
  %.188.i.i361 = zext i8 %.187.i.i360 to i64
  store i64 0, ptr %.191.i.i, align 8, !noalias !154
  %.197.i.i362 = call fastcc i32 @states.step(ptr %.191.i.i, ptr %excinfo.1.i.i296, ptr %.19, i64 %state.2.0.i.i, i64 %.188.i.i361)
  %.199.not.i.i = icmp eq i32 %.197.i.i362, 0
  br i1 %.199.not.i.i, label %B38.endif.i.i, label %B256.if.i, !prof !4

B38.endif.i.i:                                    ; preds = %B36.if.i.i
  %.207.i.i = load i64, ptr %.191.i.i, align 8, !noalias !154
  %.130.i.i364 = add nuw i64 %.55.0.i.i, 1
  %.223.i.i = icmp slt i64 %.207.i.i, 0
  br i1 %.223.i.i, label %B256.endif.i, label %B36.i.i

B380.i:                                           ; preds = %B642
  store ptr null, ptr %excinfo.2.i.i295, align 8, !noalias !158
  %.27.i.i315 = getelementptr i8, ptr %.19, i64 120
  %.28.i.i316 = load i64, ptr %.27.i.i315, align 8, !noalias !158
  %.30.i.i317 = getelementptr i8, ptr %.19, i64 136
  %.31.i.i = load i64, ptr %.30.i.i317, align 8, !noalias !158
  %.37.i.i = inttoptr i64 %.28.i.i316 to ptr
  %.69.i.i318 = getelementptr i8, ptr %.19, i64 96
  %.70.i.i319 = load i64, ptr %.69.i.i318, align 8, !noalias !158
  %.72.i.i320 = getelementptr i8, ptr %.19, i64 112
  %.73.i.i321 = load i64, ptr %.72.i.i320, align 8, !noalias !158
  %.79.i.i = inttoptr i64 %.70.i.i319 to ptr
  %.107.i.i322 = getelementptr i8, ptr %.19, i64 192
  %.108.i.i323 = load i64, ptr %.107.i.i322, align 8, !noalias !158
  %.110.i.i324 = getelementptr i8, ptr %.19, i64 208
  %.111.i.i325 = load i64, ptr %.110.i.i324, align 8, !noalias !158
  %.117.i163.i = inttoptr i64 %.108.i.i323 to ptr
  %.158.i.i326 = getelementptr i8, ptr %.19, i64 576
  %.159.i.i327 = load i64, ptr %.158.i.i326, align 8, !noalias !158
  %.161.i.i328 = getelementptr i8, ptr %.19, i64 592
  %.162.i.i = load i64, ptr %.161.i.i328, align 8, !noalias !158
  %.168.i.i = inttoptr i64 %.159.i.i327 to ptr
  %.196.i.i329 = getelementptr i8, ptr %.19, i64 552
  %.197.i164.i = load i64, ptr %.196.i.i329, align 8, !noalias !158
  %.199.i.i330 = getelementptr i8, ptr %.19, i64 568
  %.200.i.i = load i64, ptr %.199.i.i330, align 8, !noalias !158
  %.206.i.i = inttoptr i64 %.197.i164.i to ptr
  %.234.i.i331 = getelementptr i8, ptr %.19, i64 216
  %.235.i.i332 = load i64, ptr %.234.i.i331, align 8, !noalias !158
  %.244.i.i = inttoptr i64 %.235.i.i332 to ptr
  %.282.i.i333 = icmp slt i64 %arg.y, 0
  %.283.i.i334 = select i1 %.282.i.i333, i64 %.162.i.i, i64 0
  %409 = getelementptr i32, ptr %.168.i.i, i64 %arg.y
  %.297.i.i335 = getelementptr i32, ptr %409, i64 %.283.i.i334
  %.298.i.i336 = load i32, ptr %.297.i.i335, align 4, !noalias !158
  %.299.i.i = sext i32 %.298.i.i336 to i64
  %.313.i.i = icmp slt i64 %arg.y, -1
  %.314.i.i = select i1 %.313.i.i, i64 %.162.i.i, i64 0
  %410 = getelementptr i8, ptr %409, i64 4
  %.328.i.i337 = getelementptr i32, ptr %410, i64 %.314.i.i
  %.329.i.i = load i32, ptr %.328.i.i337, align 4, !noalias !158
  %.365.i.i338 = getelementptr i8, ptr %.19, i64 912
  %.378.i.i = icmp eq i32 %.298.i.i336, %.329.i.i
  br i1 %.378.i.i, label %B380.endif.i, label %B442.i.i

B442.i.i:                                         ; preds = %B380.i
  %.366.i.i339 = load i64, ptr %.365.i.i338, align 8, !noalias !158
  %.330.i.i = sext i32 %.329.i.i to i64
  %.470.i.i = sub nsw i64 %.330.i.i, %.299.i.i
  %spec.select2.i.i = tail call i64 @llvm.smax.i64(i64 %.470.i.i, i64 0)
  br label %B474.i.i

B474.i.i:                                         ; preds = %B1130.endif.i.i, %B442.i.i
  %.460.0.i.i = phi i64 [ %spec.select2.i.i, %B442.i.i ], [ %.525.i.i340, %B1130.endif.i.i ]
  %.457.0.i.i = phi i64 [ %.299.i.i, %B442.i.i ], [ %.529.i.i, %B1130.endif.i.i ]
  %state.2.0.i165.i = phi i64 [ %arg.x, %B442.i.i ], [ %.1437.i.i355, %B1130.endif.i.i ]
  %touched.2.0.i.i = phi i1 [ false, %B442.i.i ], [ %touched.3.2.i.i, %B1130.endif.i.i ]
  %begun.2.0.i.i = phi i64 [ -7, %B442.i.i ], [ %begun.3.2.i.i, %B1130.endif.i.i ]
  %active.2.0.i.i = phi i64 [ %.366.i.i339, %B442.i.i ], [ %active.3.2.i.i, %B1130.endif.i.i ]
  %.516.i.i = icmp sgt i64 %.460.0.i.i, 0
  br i1 %.516.i.i, label %B476.if.i.i, label %B1258.i.i

B526.i.i:                                         ; preds = %B476.if.i.i
  %.634.i.i = icmp slt i64 %state.2.0.i165.i, 0
  %.635.i.i = select i1 %.634.i.i, i64 %.31.i.i, i64 0
  %.636.i.i = add i64 %.635.i.i, %state.2.0.i165.i
  %.idx.i.i357 = shl i64 %.636.i.i, 6
  %411 = getelementptr i8, ptr %.37.i.i, i64 %.idx.i.i357
  %.660.i.i358 = getelementptr i8, ptr %411, i64 32
  %.661.i.i = load i64, ptr %.660.i.i358, align 8, !noalias !158
  %.662.i.i = and i64 %.661.i.i, 2
  %.663.not.i.i = icmp eq i64 %.662.i.i, 0
  br i1 %.663.not.i.i, label %B1130.i.i354, label %B574.i.i

B574.i.i:                                         ; preds = %B476.if.i.i, %B526.i.i
  %.707.i.i = icmp slt i64 %state.2.0.i165.i, 0
  %.708.i.i = select i1 %.707.i.i, i64 %.31.i.i, i64 0
  %.709.i.i = add i64 %.708.i.i, %state.2.0.i165.i
  %.idx4.i.i = shl i64 %.709.i.i, 6
  %412 = getelementptr i8, ptr %.37.i.i, i64 %.idx4.i.i
  %.843.i.i343 = getelementptr i8, ptr %412, i64 24
  %.844.i.i344 = load i64, ptr %.843.i.i343, align 8, !noalias !158
  %invariant.gep.i.i = getelementptr i8, ptr %.117.i163.i, i64 %.588.i.i
  %.92523.not.i.i = icmp slt i64 %.844.i.i344, 1
  br i1 %.92523.not.i.i, label %B928.i.i, label %B754.if.preheader.i.i

B754.if.preheader.i.i:                            ; preds = %B574.i.i
  %.733.i.i = getelementptr i8, ptr %412, i64 16
  %.734.i.i = load i64, ptr %.733.i.i, align 8, !noalias !158
  br label %B754.if.i.i

B796.i.i:                                         ; preds = %B754.if.i.i
  %.1110.i.i347 = and i64 %.1010.i.i, 4294967295
  %.1115.not.i.i = icmp eq i64 %.1110.i.i347, 0
  br i1 %.1115.not.i.i, label %B922.i.i, label %B844.i.i348

B844.i.i348:                                      ; preds = %B796.i.i
  %.1151.i.i349 = getelementptr i64, ptr %.244.i.i, i64 %.1110.i.i347
  %.1152.i.i = load i64, ptr %.1151.i.i349, align 8, !noalias !158
  %.1153.i.i = and i64 %.1152.i.i, 4294967295
  %.11.i.i.i = tail call i64 @llvm.smax.i64(i64 %.1153.i.i, i64 %marks.2.228.i.i)
  %.1218.i.i = ashr i64 %.1152.i.i, 32
  %.1220.i.i = or i64 %.1218.i.i, %pending.2.227.i.i
  br label %B922.i.i

B922.i.i:                                         ; preds = %B754.if.i.i, %B844.i.i348, %B796.i.i
  %found.3.3.i.i = phi i1 [ true, %B844.i.i348 ], [ true, %B796.i.i ], [ %found.2.226.i.i, %B754.if.i.i ]
  %pending.3.3.i.i = phi i64 [ %.1220.i.i, %B844.i.i348 ], [ %pending.2.227.i.i, %B796.i.i ], [ %pending.2.227.i.i, %B754.if.i.i ]
  %marks.3.3.i.i = phi i64 [ %.11.i.i.i, %B844.i.i348 ], [ %marks.2.228.i.i, %B796.i.i ], [ %marks.2.228.i.i, %B754.if.i.i ]
  %.925.i.i350 = icmp ugt i64 %.872.025.i.i, 1
  br i1 %.925.i.i350, label %B754.if.i.i, label %B924.i.i

B924.i.i:                                         ; preds = %B922.i.i
  br i1 %found.3.3.i.i, label %B1016.i.i, label %B928.i.i

B928.i.i:                                         ; preds = %B924.i.i, %B574.i.i
  %..i.i = select i1 %touched.2.0.i.i, i64 -6, i64 -1
  br label %B380.endif.i

B1016.i.i:                                        ; preds = %B924.i.i
  %.1305.i.i = icmp sgt i64 %marks.3.3.i.i, 1
  br i1 %.1305.i.i, label %B380.endif.i, label %B1028.i.i

B1028.i.i:                                        ; preds = %B1016.i.i
  %.1309.i.i351 = icmp slt i64 %marks.3.3.i.i, %active.2.0.i.i
  %.1312.i.i = icmp ne i64 %pending.3.3.i.i, 0
  %or.cond.i.i352 = select i1 %.1309.i.i351, i1 %.1312.i.i, i1 false
  br i1 %or.cond.i.i352, label %B380.endif.i, label %B1088.i.i

B1088.i.i:                                        ; preds = %B1028.i.i
  %.1356.i.i353 = icmp sgt i64 %marks.3.3.i.i, %active.2.0.i.i
  %.1362.i.i = sub nsw i64 %.457.0.i.i, %.299.i.i
  %spec.select.i167.i = select i1 %.1356.i.i353, i64 %.1362.i.i, i64 %begun.2.0.i.i
  %.1385.i.i = icmp sgt i64 %pending.3.3.i.i, 0
  %"$phi1128.1.2.2.i.i" = select i1 %touched.2.0.i.i, i1 true, i1 %.1385.i.i
  br label %B1130.i.i354

B1130.i.i354:                                     ; preds = %B1088.i.i, %B526.i.i
  %touched.3.2.i.i = phi i1 [ %"$phi1128.1.2.2.i.i", %B1088.i.i ], [ %touched.2.0.i.i, %B526.i.i ]
  %begun.3.2.i.i = phi i64 [ %spec.select.i167.i, %B1088.i.i ], [ %begun.2.0.i.i, %B526.i.i ]
  %active.3.2.i.i = phi i64 [ %marks.3.3.i.i, %B1088.i.i ], [ 0, %B526.i.i ]
  store i64 0, ptr %.1421.i.i294, align 8, !noalias !158
  %.1427.i.i = call fastcc i32 @states.step(ptr %.1421.i.i294, ptr %excinfo.2.i.i295, ptr %.19, i64 %state.2.0.i165.i, i64 %.588.i.i)
  %.1429.not.i.i = icmp eq i32 %.1427.i.i, 0
  br i1 %.1429.not.i.i, label %B1130.endif.i.i, label %B380.if.i, !prof !4

B1176.i.i:                                        ; preds = %B1130.endif.i.i
  %.1478.i.i = icmp eq i64 %.1437.i.i355, -1
  %brmerge.not.i.i356 = select i1 %.1478.i.i, i1 %touched.3.2.i.i, i1 false
  %"$phi1244.1.2.0.i.i" = select i1 %brmerge.not.i.i356, i64 -6, i64 %.1437.i.i355
  br label %B380.endif.i

B1258.i.i:                                        ; preds = %B474.i.i
  store i64 %active.2.0.i.i, ptr %.365.i.i338, align 8, !noalias !158
  %.1604.i.i = getelementptr i8, ptr %.19, i64 920
  store i64 %begun.2.0.i.i, ptr %.1604.i.i, align 8, !noalias !158
  br label %B380.endif.i

B476.if.i.i:                                      ; preds = %B474.i.i
  %.525.i.i340 = add nsw i64 %.460.0.i.i, -1
  %.529.i.i = add nsw i64 %.457.0.i.i, 1
  %.571.i.i341 = icmp slt i64 %.457.0.i.i, 0
  %.572.i.i342 = select i1 %.571.i.i341, i64 %.200.i.i, i64 0
  %413 = getelementptr i8, ptr %.206.i.i, i64 %.457.0.i.i
  %.586.i.i = getelementptr i8, ptr %413, i64 %.572.i.i342
  %.587.i.i = load i8, ptr %.586.i.i, align 1, !noalias !158
  %.588.i.i = zext i8 %.587.i.i to i64
  %.593.not.i.i = icmp eq i64 %active.2.0.i.i, 0
  br i1 %.593.not.i.i, label %B526.i.i, label %B574.i.i

B754.if.i.i:                                      ; preds = %B922.i.i, %B754.if.preheader.i.i
  %marks.2.228.i.i = phi i64 [ %marks.3.3.i.i, %B922.i.i ], [ 0, %B754.if.preheader.i.i ]
  %pending.2.227.i.i = phi i64 [ %pending.3.3.i.i, %B922.i.i ], [ 0, %B754.if.preheader.i.i ]
  %found.2.226.i.i = phi i1 [ %found.3.3.i.i, %B922.i.i ], [ false, %B754.if.preheader.i.i ]
  %.872.025.i.i = phi i64 [ %.934.i.i, %B922.i.i ], [ %.844.i.i344, %B754.if.preheader.i.i ]
  %.869.024.i.i = phi i64 [ %.938.i.i345, %B922.i.i ], [ %.734.i.i, %B754.if.preheader.i.i ]
  %.934.i.i = add nsw i64 %.872.025.i.i, -1
  %.938.i.i345 = add i64 %.869.024.i.i, 1
  %.994.i.i = icmp slt i64 %.869.024.i.i, 0
  %.995.i.i = select i1 %.994.i.i, i64 %.73.i.i321, i64 0
  %414 = getelementptr i64, ptr %.79.i.i, i64 %.869.024.i.i
  %.1009.i.i = getelementptr i64, ptr %414, i64 %.995.i.i
  %.1010.i.i = load i64, ptr %.1009.i.i, align 8, !noalias !158
  %.1011.i.i = ashr i64 %.1010.i.i, 32
  %.1035.i.i = icmp slt i64 %.1011.i.i, 0
  %.1036.i.i = select i1 %.1035.i.i, i64 %.111.i.i325, i64 0
  %.1037.i.i = add i64 %.1036.i.i, %.1011.i.i
  %.1057.i.i346 = shl i64 %.1037.i.i, 8
  %gep.i.i = getelementptr i8, ptr %invariant.gep.i.i, i64 %.1057.i.i346
  %.1062.i.i = load i8, ptr %gep.i.i, align 1, !noalias !158
  %.1063.not.i.i = icmp eq i8 %.1062.i.i, 0
  br i1 %.1063.not.i.i, label %B922.i.i, label %B796.i.i

B1130.endif.i.i:                                  ; preds = %B1130.i.i354
  %.1437.i.i355 = load i64, ptr %.1421.i.i294, align 8, !noalias !158
  %.1455.i.i = icmp slt i64 %.1437.i.i355, 0
  br i1 %.1455.i.i, label %B1176.i.i, label %B474.i.i

B436.i:                                           ; preds = %B642
  store ptr null, ptr %excinfo.1.i168.i, align 8, !noalias !162
  %.27.i169.i = getelementptr i8, ptr %.19, i64 120
  %.28.i170.i = load i64, ptr %.27.i169.i, align 8, !noalias !162
  %.30.i171.i = getelementptr i8, ptr %.19, i64 136
  %.31.i172.i = load i64, ptr %.30.i171.i, align 8, !noalias !162
  %.37.i173.i = inttoptr i64 %.28.i170.i to ptr
  %.69.i174.i = getelementptr i8, ptr %.19, i64 96
  %.70.i175.i = load i64, ptr %.69.i174.i, align 8, !noalias !162
  %.72.i176.i = getelementptr i8, ptr %.19, i64 112
  %.73.i177.i = load i64, ptr %.72.i176.i, align 8, !noalias !162
  %.79.i178.i = inttoptr i64 %.70.i175.i to ptr
  %.107.i179.i = getelementptr i8, ptr %.19, i64 192
  %.108.i180.i = load i64, ptr %.107.i179.i, align 8, !noalias !162
  %.110.i181.i = getelementptr i8, ptr %.19, i64 208
  %.111.i182.i = load i64, ptr %.110.i181.i, align 8, !noalias !162
  %.117.i183.i = inttoptr i64 %.108.i180.i to ptr
  %.149.i.i300 = getelementptr i8, ptr %.19, i64 408
  %.150.i.i301 = load i64, ptr %.149.i.i300, align 8, !noalias !162
  %.152.i.i302 = getelementptr i8, ptr %.19, i64 424
  %.153.i.i = load i64, ptr %.152.i.i302, align 8, !noalias !162
  %.159.i184.i = inttoptr i64 %.150.i.i301 to ptr
  %.31121.not.i.i = icmp slt i64 %.153.i.i, 1
  br i1 %.31121.not.i.i, label %B436.endif.i, label %B236.if.i.i

B430.i.i:                                         ; preds = %B236.if.i.i, %B574.i190.i
  %.604.0.i.i = phi i64 [ %.469.i.i, %B236.if.i.i ], [ %.681.i.i, %B574.i190.i ]
  %.607.0.i.i = phi i64 [ %spec.select7.i.i, %B236.if.i.i ], [ %.677.i.i, %B574.i190.i ]
  %several.4.1.i.i = phi i1 [ %.408.i.i305, %B236.if.i.i ], [ false, %B574.i190.i ]
  %only.3.1.i.i = phi i64 [ -1, %B236.if.i.i ], [ %only.4.3.i.i.1, %B574.i190.i ]
  %.668.i.i306 = icmp sgt i64 %.607.0.i.i, 0
  br i1 %.668.i.i306, label %B430.if.i.i, label %B592.i.i

B518.i.i:                                         ; preds = %B468.if.i.i
  %.965.i.i = icmp sgt i64 %only.2.219.i.i, -1
  %.971.i.i = icmp ne i64 %only.2.219.i.i, %.751.016.i.i
  %spec.select.i189.i = and i1 %.965.i.i, %.971.i.i
  br label %B572.i.i

B572.i.i:                                         ; preds = %B468.if.i.i, %B518.i.i
  %several.5.3.i.i = phi i1 [ %several.3.2.mux.i.i, %B468.if.i.i ], [ %spec.select.i189.i, %B518.i.i ]
  %only.4.3.i.i = phi i64 [ %only.2.2.mux.i.i, %B468.if.i.i ], [ %.751.016.i.i, %B518.i.i ]
  %wall.3.3.i.i = phi i1 [ %wall.2.2.mux.i.i, %B468.if.i.i ], [ false, %B518.i.i ]
  %.820.i.i.1 = add nuw nsw i64 %.751.016.i.i, 2
  %415 = getelementptr i8, ptr %419, i64 %.820.i.i
  %.944.i.i.1 = load i8, ptr %415, align 1, !noalias !162
  %.945.not.i.i.1 = icmp eq i8 %.944.i.i.1, 0
  %brmerge.i.i.1 = select i1 %.945.not.i.i.1, i1 true, i1 %several.5.3.i.i
  %not..945.not.i.i.1 = xor i1 %.945.not.i.i.1, true
  %several.3.2.mux.i.i.1 = select i1 %not..945.not.i.i.1, i1 true, i1 %several.5.3.i.i
  %only.2.2.mux.i.i.1 = select i1 %.945.not.i.i.1, i64 %only.4.3.i.i, i64 %.820.i.i
  %wall.2.2.mux.i.i.1 = select i1 %.945.not.i.i.1, i1 %wall.3.3.i.i, i1 false
  br i1 %brmerge.i.i.1, label %B572.i.i.1, label %B518.i.i.1

B518.i.i.1:                                       ; preds = %B572.i.i
  %.965.i.i.1 = icmp sgt i64 %only.4.3.i.i, -1
  %.971.i.i.1 = icmp ne i64 %only.4.3.i.i, %.820.i.i
  %spec.select.i189.i.1 = and i1 %.965.i.i.1, %.971.i.i.1
  br label %B572.i.i.1

B572.i.i.1:                                       ; preds = %B518.i.i.1, %B572.i.i
  %several.5.3.i.i.1 = phi i1 [ %several.3.2.mux.i.i.1, %B572.i.i ], [ %spec.select.i189.i.1, %B518.i.i.1 ]
  %only.4.3.i.i.1 = phi i64 [ %only.2.2.mux.i.i.1, %B572.i.i ], [ %.820.i.i, %B518.i.i.1 ]
  %wall.3.3.i.i.1 = phi i1 [ %wall.2.2.mux.i.i.1, %B572.i.i ], [ false, %B518.i.i.1 ]
  %exitcond.not.i.i314.1 = icmp eq i64 %.820.i.i.1, 256
  br i1 %exitcond.not.i.i314.1, label %B574.i190.i, label %B468.if.i.i

B574.i190.i:                                      ; preds = %B572.i.i.1
  %.677.i.i = add nsw i64 %.607.0.i.i, -1
  %.681.i.i = add i64 %.604.0.i.i, 1
  %spec.select586.i.i = select i1 %several.5.3.i.i.1, i1 true, i1 %wall.3.3.i.i.1
  br i1 %spec.select586.i.i, label %B436.endif.i, label %B430.i.i

B592.i.i:                                         ; preds = %B430.i.i
  %.1080.i.i = icmp slt i64 %only.3.1.i.i, 0
  %or.cond.i186.i = select i1 %several.4.1.i.i, i1 true, i1 %.1080.i.i
  br i1 %or.cond.i186.i, label %B436.endif.i, label %B616.i.i

B616.i.i:                                         ; preds = %B592.i.i
  store i64 0, ptr %.1107.i.i, align 8, !noalias !162
  %.1113.i.i307 = call fastcc i32 @states.step(ptr %.1107.i.i, ptr %excinfo.1.i168.i, ptr %.19, i64 %state.2.024.i.i, i64 %only.3.1.i.i)
  %.1115.not.i187.i = icmp eq i32 %.1113.i.i307, 0
  %.1123.i.i = load i64, ptr %.1107.i.i, align 8, !noalias !162
  br i1 %.1115.not.i187.i, label %B616.endif.i.i, label %B436.if.i, !prof !4

B690.i.i:                                         ; preds = %B616.endif.i.i
  %416 = getelementptr i32, ptr %.159.i184.i, i64 %.253.022.i.i
  %.1197.i.i = trunc i64 %only.3.1.i.i to i32
  store i32 %.1197.i.i, ptr %416, align 4, !noalias !162
  %exitcond33.not.i.i = icmp eq i64 %.153.i.i, %.324.i.i
  br i1 %exitcond33.not.i.i, label %B702.loopexit.i.i, label %B236.if.i.i

B702.loopexit.i.i:                                ; preds = %B690.i.i
  %.1248.pre.i.i = load i64, ptr %.152.i.i302, align 8, !noalias !162
  br label %B436.endif.i

B236.if.i.i:                                      ; preds = %B436.i, %B690.i.i
  %state.2.024.i.i = phi i64 [ %.1123.i.i, %B690.i.i ], [ %arg.x, %B436.i ]
  %.253.022.i.i = phi i64 [ %.324.i.i, %B690.i.i ], [ 0, %B436.i ]
  %.324.i.i = add nuw nsw i64 %.253.022.i.i, 1
  %.379.i.i = icmp slt i64 %state.2.024.i.i, 0
  %.380.i.i = select i1 %.379.i.i, i64 %.31.i172.i, i64 0
  %.381.i.i = add i64 %.380.i.i, %state.2.024.i.i
  %.idx.i185.i = shl i64 %.381.i.i, 6
  %417 = getelementptr i8, ptr %.37.i173.i, i64 %.idx.i185.i
  %.405.i.i = getelementptr i8, ptr %417, i64 32
  %.406.i.i303 = load i64, ptr %.405.i.i, align 8, !noalias !162
  %.407.i.i304 = and i64 %.406.i.i303, 1
  %.408.i.i305 = icmp ne i64 %.407.i.i304, 0
  %.468.i.i = getelementptr i8, ptr %417, i64 16
  %.469.i.i = load i64, ptr %.468.i.i, align 8, !noalias !162
  %.578.i.i = getelementptr i8, ptr %417, i64 24
  %.579.i.i = load i64, ptr %.578.i.i, align 8, !noalias !162
  %spec.select7.i.i = tail call i64 @llvm.smax.i64(i64 %.579.i.i, i64 0)
  br label %B430.i.i

B430.if.i.i:                                      ; preds = %B430.i.i
  %.876.i.i309 = icmp slt i64 %.604.0.i.i, 0
  %.877.i.i310 = select i1 %.876.i.i309, i64 %.73.i177.i, i64 0
  %418 = getelementptr i64, ptr %.79.i178.i, i64 %.604.0.i.i
  %.891.i.i = getelementptr i64, ptr %418, i64 %.877.i.i310
  %.892.i.i = load i64, ptr %.891.i.i, align 8, !noalias !162
  %.893.i.i = ashr i64 %.892.i.i, 32
  %.917.i.i311 = icmp slt i64 %.893.i.i, 0
  %.918.i.i312 = select i1 %.917.i.i311, i64 %.111.i182.i, i64 0
  %.919.i.i313 = add i64 %.918.i.i312, %.893.i.i
  %.939.i.i = shl i64 %.919.i.i313, 8
  %419 = getelementptr i8, ptr %.117.i183.i, i64 %.939.i.i
  br label %B468.if.i.i

B468.if.i.i:                                      ; preds = %B572.i.i.1, %B430.if.i.i
  %wall.2.220.i.i = phi i1 [ true, %B430.if.i.i ], [ %wall.3.3.i.i.1, %B572.i.i.1 ]
  %only.2.219.i.i = phi i64 [ %only.3.1.i.i, %B430.if.i.i ], [ %only.4.3.i.i.1, %B572.i.i.1 ]
  %several.3.218.i.i = phi i1 [ %several.4.1.i.i, %B430.if.i.i ], [ %several.5.3.i.i.1, %B572.i.i.1 ]
  %.751.016.i.i = phi i64 [ 0, %B430.if.i.i ], [ %.820.i.i.1, %B572.i.i.1 ]
  %.820.i.i = or i64 %.751.016.i.i, 1
  %420 = getelementptr i8, ptr %419, i64 %.751.016.i.i
  %.944.i.i = load i8, ptr %420, align 1, !noalias !162
  %.945.not.i.i = icmp eq i8 %.944.i.i, 0
  %brmerge.i.i = select i1 %.945.not.i.i, i1 true, i1 %several.3.218.i.i
  %not..945.not.i.i = xor i1 %.945.not.i.i, true
  %several.3.2.mux.i.i = select i1 %not..945.not.i.i, i1 true, i1 %several.3.218.i.i
  %only.2.2.mux.i.i = select i1 %.945.not.i.i, i64 %only.2.219.i.i, i64 %.751.016.i.i
  %wall.2.2.mux.i.i = select i1 %.945.not.i.i, i1 %wall.2.220.i.i, i1 false
  br i1 %brmerge.i.i, label %B572.i.i, label %B518.i.i

B616.endif.i.i:                                   ; preds = %B616.i.i
  %.1139.i.i = icmp eq i64 %.1123.i.i, -3
  br i1 %.1139.i.i, label %B436.endif.i, label %B690.i.i

B468.i:                                           ; preds = %B642
  %.16.i.i = icmp eq i64 %arg.x, 6
  br i1 %.16.i.i, label %B26.i.i, label %B464.i.i

B26.i.i:                                          ; preds = %B468.i
  %.26.i.i374 = getelementptr i8, ptr %.19, i64 48
  %.27.i195.i = load i64, ptr %.26.i.i374, align 8, !noalias !166
  %.36.i.i375 = inttoptr i64 %.27.i195.i to ptr
  %.68.i.i376 = getelementptr i8, ptr %.19, i64 72
  %.69.i196.i = load i64, ptr %.68.i.i376, align 8, !noalias !166
  %.71.i.i377 = getelementptr i8, ptr %.19, i64 88
  %.72.i197.i = load i64, ptr %.71.i.i377, align 8, !noalias !166
  %.78.i.i378 = inttoptr i64 %.69.i196.i to ptr
  %.292.i.i = icmp slt i64 %.72.i197.i, 1
  br i1 %.292.i.i, label %.358.if.i.i, label %.358.endif.preheader.i.i, !prof !20

B464.i.i:                                         ; preds = %B468.i
  %.857.i.i = getelementptr i8, ptr %.19, i64 120
  %.858.i.i = load i64, ptr %.857.i.i, align 8, !noalias !166
  %.867.i.i = inttoptr i64 %.858.i.i to ptr
  %.899.i.i = getelementptr i8, ptr %.19, i64 144
  %.900.i.i = load i64, ptr %.899.i.i, align 8, !noalias !166
  %.902.i.i = getelementptr i8, ptr %.19, i64 160
  %.903.i.i = load i64, ptr %.902.i.i, align 8, !noalias !166
  %.909.i.i = inttoptr i64 %.900.i.i to ptr
  %.937.i.i367 = getelementptr i8, ptr %.19, i64 96
  %.938.i191.i = load i64, ptr %.937.i.i367, align 8, !noalias !166
  %.940.i.i = getelementptr i8, ptr %.19, i64 112
  %.941.i.i = load i64, ptr %.940.i.i, align 8, !noalias !166
  %.947.i.i368 = inttoptr i64 %.938.i191.i to ptr
  %.1164.i.i = icmp slt i64 %.903.i.i, 1
  br i1 %.1164.i.i, label %.1230.if.i.i, label %.1230.endif.preheader.i.i, !prof !20

.358.endif.preheader.i.i:                         ; preds = %B26.i.i
  %421 = shl i64 %.72.i197.i, 2
  tail call void @llvm.memset.p0.i64(ptr align 4 %.78.i.i378, i8 0, i64 %421, i1 false), !noalias !166
  br label %.358.if.i.i

.358.if.i.i:                                      ; preds = %.358.endif.preheader.i.i, %B26.i.i
  %.434.i.i = getelementptr i8, ptr %.19, i64 56
  %.435.i.i = load i64, ptr %.434.i.i, align 8, !noalias !166
  %.472.i.i379 = add i64 %.435.i.i, -1
  %.51715.not.i.i = icmp slt i64 %.472.i.i379, 1
  br i1 %.51715.not.i.i, label %B642.endif.thread, label %B184.if.i.i

B184.if.i.i:                                      ; preds = %.358.if.i.i, %B184.if.i.i
  %.459.017.i.i = phi i64 [ %.530.i.i, %B184.if.i.i ], [ 1, %.358.if.i.i ]
  %.530.i.i = add nuw i64 %.459.017.i.i, 1
  %.608.idx.i.i = shl i64 %.459.017.i.i, 6
  %.608.i.i = getelementptr i8, ptr %.36.i.i375, i64 %.608.idx.i.i
  %.609.i.i380 = load i64, ptr %.608.i.i, align 8, !noalias !166
  %.662.i198.i = getelementptr i8, ptr %.608.i.i, i64 8
  %.663.i.i = load i64, ptr %.662.i198.i, align 8, !noalias !166
  %.7.i.i.i = shl i64 %.609.i.i380, 32
  %.8.i.i.i = or i64 %.7.i.i.i, %.663.i.i
  %.5.i.i.i.i = lshr i64 %.8.i.i.i, 31
  %.6.i.i.i.i = xor i64 %.5.i.i.i.i, %.8.i.i.i
  %.7.i.i.i.i = mul i64 %.6.i.i.i.i, -7046029254386353131
  %.8.i.i.i.i = lshr i64 %.7.i.i.i.i, 29
  %.9.i.i.i.i = xor i64 %.8.i.i.i.i, %.7.i.i.i.i
  %.742.i.i381 = shl nsw i64 %.663.i.i, 1
  %.744.i.i = and i64 %.9.i.i.i.i, 7
  %.745.i.i = add nsw i64 %.744.i.i, %.742.i.i381
  %.777.i.i382 = load i64, ptr %.71.i.i377, align 8, !noalias !166
  store i64 0, ptr %.779.i.i, align 8, !noalias !166
  call fastcc void @states.free_slot(ptr %.779.i.i, ptr %.78.i.i378, i64 %.72.i197.i, i64 %.745.i.i, i64 %.9.i.i.i.i, i64 %.777.i.i382)
  %.795.i.i = load i64, ptr %.779.i.i, align 8, !noalias !166
  %.818.i.i = icmp slt i64 %.795.i.i, 0
  %.819.i.i383 = select i1 %.818.i.i, i64 %.72.i197.i, i64 0
  %422 = getelementptr i32, ptr %.78.i.i378, i64 %.795.i.i
  %.833.i.i = getelementptr i32, ptr %422, i64 %.819.i.i383
  %.834.i.i = trunc i64 %.459.017.i.i to i32
  store i32 %.834.i.i, ptr %.833.i.i, align 4, !noalias !166
  %exitcond20.not.i.i = icmp eq i64 %.530.i.i, %.435.i.i
  br i1 %exitcond20.not.i.i, label %B642.endif.thread, label %B184.if.i.i

.1230.endif.preheader.i.i:                        ; preds = %B464.i.i
  %423 = shl i64 %.903.i.i, 2
  tail call void @llvm.memset.p0.i64(ptr align 4 %.909.i.i, i8 0, i64 %423, i1 false), !noalias !166
  br label %.1230.if.i.i

.1230.if.i.i:                                     ; preds = %.1230.endif.preheader.i.i, %B464.i.i
  %.1306.i.i = getelementptr i8, ptr %.19, i64 128
  %.1307.i.i = load i64, ptr %.1306.i.i, align 8, !noalias !166
  %.138710.not.i.i = icmp slt i64 %.1307.i.i, 1
  br i1 %.138710.not.i.i, label %B642.endif.thread, label %B662.if.i.i

B662.if.i.i:                                      ; preds = %.1230.if.i.i, %states.near_leaves.exit.i.i
  %.1331.011.i.i = phi i64 [ %.1400.i.i, %states.near_leaves.exit.i.i ], [ 0, %.1230.if.i.i ]
  %.1400.i.i = add nuw nsw i64 %.1331.011.i.i, 1
  %.idx.i192.i = shl i64 %.1331.011.i.i, 6
  %424 = getelementptr i8, ptr %.867.i.i, i64 %.idx.i192.i
  %.1477.i.i369 = getelementptr i8, ptr %424, i64 16
  %.1478.i193.i = load i64, ptr %.1477.i.i369, align 8, !noalias !166
  %.1531.i.i = getelementptr i8, ptr %424, i64 24
  %.1532.i.i = load i64, ptr %.1531.i.i, align 8, !noalias !166
  %.1586.i.i = getelementptr i8, ptr %424, i64 32
  %.1587.i.i = load i64, ptr %.1586.i.i, align 8, !noalias !166
  %.1588.i.i = and i64 %.1587.i.i, 1
  %.20.i.i.i = shl nsw i64 %.1532.i.i, 1
  %.21.i.i.i = or i64 %.1588.i.i, %.20.i.i.i
  %.1061.not.i.i.i = icmp slt i64 %.1532.i.i, 1
  br i1 %.1061.not.i.i.i, label %states.hash_leaves.exit.i.i, label %B76.if.i.i.i370.preheader

B76.if.i.i.i370.preheader:                        ; preds = %B662.if.i.i
  %xtraiter = and i64 %.1532.i.i, 1
  %425 = icmp eq i64 %.1532.i.i, 1
  br i1 %425, label %B76.if.i.i.i370.epil.preheader, label %B76.if.i.i.i370.preheader.new

B76.if.i.i.i370.preheader.new:                    ; preds = %B76.if.i.i.i370.preheader
  %unroll_iter = and i64 %.1532.i.i, 9223372036854775806
  br label %B76.if.i.i.i370

B76.if.i.i.i370:                                  ; preds = %B76.if.i.i.i370, %B76.if.i.i.i370.preheader.new
  %h.2.04.i.i.i = phi i64 [ %.21.i.i.i, %B76.if.i.i.i370.preheader.new ], [ %.9.i.i582.i.i.1, %B76.if.i.i.i370 ]
  %.48.03.i.i.i = phi i64 [ 0, %B76.if.i.i.i370.preheader.new ], [ %.119.i.i.i.1, %B76.if.i.i.i370 ]
  %niter = phi i64 [ 0, %B76.if.i.i.i370.preheader.new ], [ %niter.next.1, %B76.if.i.i.i370 ]
  %.119.i.i.i = or i64 %.48.03.i.i.i, 1
  %.146.i.i.i = add nsw i64 %.48.03.i.i.i, %.1478.i193.i
  %.160.i.i.i = icmp slt i64 %.146.i.i.i, 0
  %.161.i.i.i = select i1 %.160.i.i.i, i64 %.941.i.i, i64 0
  %426 = getelementptr i64, ptr %.947.i.i368, i64 %.146.i.i.i
  %.175.i.i.i = getelementptr i64, ptr %426, i64 %.161.i.i.i
  %.176.i.i.i = load i64, ptr %.175.i.i.i, align 8, !noalias !169
  %.178.i.i.i = xor i64 %.176.i.i.i, %h.2.04.i.i.i
  %.5.i.i578.i.i = lshr i64 %.178.i.i.i, 31
  %.6.i.i579.i.i = xor i64 %.5.i.i578.i.i, %.178.i.i.i
  %.7.i.i580.i.i = mul i64 %.6.i.i579.i.i, -7046029254386353131
  %.8.i.i581.i.i = lshr i64 %.7.i.i580.i.i, 29
  %.119.i.i.i.1 = add nuw nsw i64 %.48.03.i.i.i, 2
  %.146.i.i.i.1 = add nsw i64 %.119.i.i.i, %.1478.i193.i
  %.160.i.i.i.1 = icmp slt i64 %.146.i.i.i.1, 0
  %.161.i.i.i.1 = select i1 %.160.i.i.i.1, i64 %.941.i.i, i64 0
  %427 = getelementptr i64, ptr %.947.i.i368, i64 %.146.i.i.i.1
  %.175.i.i.i.1 = getelementptr i64, ptr %427, i64 %.161.i.i.i.1
  %.176.i.i.i.1 = load i64, ptr %.175.i.i.i.1, align 8, !noalias !169
  %428 = xor i64 %.8.i.i581.i.i, %.176.i.i.i.1
  %.178.i.i.i.1 = xor i64 %428, %.7.i.i580.i.i
  %.5.i.i578.i.i.1 = lshr i64 %.178.i.i.i.1, 31
  %.6.i.i579.i.i.1 = xor i64 %.5.i.i578.i.i.1, %.178.i.i.i.1
  %.7.i.i580.i.i.1 = mul i64 %.6.i.i579.i.i.1, -7046029254386353131
  %.8.i.i581.i.i.1 = lshr i64 %.7.i.i580.i.i.1, 29
  %.9.i.i582.i.i.1 = xor i64 %.8.i.i581.i.i.1, %.7.i.i580.i.i.1
  %niter.next.1 = add i64 %niter, 2
  %niter.ncmp.1 = icmp eq i64 %niter.next.1, %unroll_iter
  br i1 %niter.ncmp.1, label %B8.i.i.i.loopexit.unr-lcssa, label %B76.if.i.i.i370

states.hash_leaves.exit.i.i:                      ; preds = %B662.if.i.i
  %.22.not.i.i.i = icmp eq i64 %.1532.i.i, 0
  br i1 %.22.not.i.i.i, label %states.near_leaves.exit.i.i, label %B8.i.i.i

B8.i.i.i.loopexit.unr-lcssa:                      ; preds = %B76.if.i.i.i370
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B8.i.i.i, label %B76.if.i.i.i370.epil.preheader

B76.if.i.i.i370.epil.preheader:                   ; preds = %B8.i.i.i.loopexit.unr-lcssa, %B76.if.i.i.i370.preheader
  %h.2.04.i.i.i.epil.init = phi i64 [ %.21.i.i.i, %B76.if.i.i.i370.preheader ], [ %.9.i.i582.i.i.1, %B8.i.i.i.loopexit.unr-lcssa ]
  %.48.03.i.i.i.epil.init = phi i64 [ 0, %B76.if.i.i.i370.preheader ], [ %.119.i.i.i.1, %B8.i.i.i.loopexit.unr-lcssa ]
  %lcmp.mod928 = icmp ne i64 %xtraiter, 0
  tail call void @llvm.assume(i1 %lcmp.mod928)
  %.146.i.i.i.epil = add nsw i64 %.48.03.i.i.i.epil.init, %.1478.i193.i
  %.160.i.i.i.epil = icmp slt i64 %.146.i.i.i.epil, 0
  %.161.i.i.i.epil = select i1 %.160.i.i.i.epil, i64 %.941.i.i, i64 0
  %429 = getelementptr i64, ptr %.947.i.i368, i64 %.146.i.i.i.epil
  %.175.i.i.i.epil = getelementptr i64, ptr %429, i64 %.161.i.i.i.epil
  %.176.i.i.i.epil = load i64, ptr %.175.i.i.i.epil, align 8, !noalias !169
  %.178.i.i.i.epil = xor i64 %.176.i.i.i.epil, %h.2.04.i.i.i.epil.init
  %.5.i.i578.i.i.epil = lshr i64 %.178.i.i.i.epil, 31
  %.6.i.i579.i.i.epil = xor i64 %.5.i.i578.i.i.epil, %.178.i.i.i.epil
  %.7.i.i580.i.i.epil = mul i64 %.6.i.i579.i.i.epil, -7046029254386353131
  %.8.i.i581.i.i.epil = lshr i64 %.7.i.i580.i.i.epil, 29
  %.9.i.i582.i.i.epil = xor i64 %.8.i.i581.i.i.epil, %.7.i.i580.i.i.epil
  br label %B8.i.i.i

B8.i.i.i:                                         ; preds = %B76.if.i.i.i370.epil.preheader, %B8.i.i.i.loopexit.unr-lcssa, %states.hash_leaves.exit.i.i
  %h.2.0.lcssa.i4.i.i = phi i64 [ %.21.i.i.i, %states.hash_leaves.exit.i.i ], [ %.9.i.i582.i.i.1, %B8.i.i.i.loopexit.unr-lcssa ], [ %.9.i.i582.i.i.epil, %B76.if.i.i.i370.epil.preheader ]
  %.38.i.i.i = icmp slt i64 %.1478.i193.i, 0
  %.39.i.i.i = select i1 %.38.i.i.i, i64 %.941.i.i, i64 0
  %430 = getelementptr i64, ptr %.947.i.i368, i64 %.1478.i193.i
  %.53.i.i.i = getelementptr i64, ptr %430, i64 %.39.i.i.i
  %.54.i.i.i = load i64, ptr %.53.i.i.i, align 8, !noalias !172
  %.59.i.i.i = and i64 %.54.i.i.i, 4294967295
  br label %states.near_leaves.exit.i.i

states.near_leaves.exit.i.i:                      ; preds = %B8.i.i.i, %states.hash_leaves.exit.i.i
  %h.2.0.lcssa.i5.i.i = phi i64 [ %h.2.0.lcssa.i4.i.i, %B8.i.i.i ], [ %.21.i.i.i, %states.hash_leaves.exit.i.i ]
  %"$phi58.0.2.0.i.i.i" = phi i64 [ %.59.i.i.i, %B8.i.i.i ], [ 0, %states.hash_leaves.exit.i.i ]
  %.73.i.i.i372 = and i64 %h.2.0.lcssa.i5.i.i, 7
  %.77.i.i.i373 = add nuw nsw i64 %"$phi58.0.2.0.i.i.i", %.73.i.i.i372
  %.1676.i.i = load i64, ptr %.902.i.i, align 8, !noalias !166
  store i64 0, ptr %.1678.i.i293, align 8, !noalias !166
  call fastcc void @states.free_slot(ptr %.1678.i.i293, ptr %.909.i.i, i64 %.903.i.i, i64 %.77.i.i.i373, i64 %h.2.0.lcssa.i5.i.i, i64 %.1676.i.i)
  %.1694.i.i = load i64, ptr %.1678.i.i293, align 8, !noalias !166
  %.1717.i.i = icmp slt i64 %.1694.i.i, 0
  %.1718.i.i = select i1 %.1717.i.i, i64 %.903.i.i, i64 0
  %431 = getelementptr i32, ptr %.909.i.i, i64 %.1694.i.i
  %.1732.i.i = getelementptr i32, ptr %431, i64 %.1718.i.i
  %432 = trunc i64 %.1331.011.i.i to i32
  %.1733.i.i = add i32 %432, 1
  store i32 %.1733.i.i, ptr %.1732.i.i, align 4, !noalias !166
  %exitcond.not.i194.i = icmp eq i64 %.1307.i.i, %.1400.i.i
  br i1 %exitcond.not.i194.i, label %B642.endif.thread, label %B662.if.i.i

B642.endif.thread:                                ; preds = %states.near_leaves.exit.i.i, %B184.if.i.i, %.358.if.i.i, %.1230.if.i.i
  br label %B16.i401

B26.endif.if.i:                                   ; preds = %B26.i366
  %.73.i = load ptr, ptr %excinfo.2.i297, align 8, !noalias !150
  br label %B642.if

B26.endif.endif.i:                                ; preds = %B26.i366
  %.82.i = load i64, ptr %.66.i, align 8, !noalias !150
  br label %B642.endif

B202.if.i:                                        ; preds = %B202.i
  %.156.i365 = load ptr, ptr %excinfo.4.i299, align 8, !noalias !150
  br label %B642.if

B202.endif.i:                                     ; preds = %B202.i
  %.165.i = load i64, ptr %.149.i298, align 8, !noalias !150
  br label %B642.endif

B256.if.i:                                        ; preds = %B36.if.i.i
  %.198.i.i363 = load ptr, ptr %excinfo.1.i.i296, align 8, !noalias !154
  br label %B642.if

B256.endif.i:                                     ; preds = %B38.endif.i.i, %B36.i.i
  %.228.0.ph.i = phi i64 [ %.207.i.i, %B38.endif.i.i ], [ %state.2.0.i.i, %B36.i.i ]
  br label %B642.endif

B380.if.i:                                        ; preds = %B1130.i.i354
  %.1428.i.i = load ptr, ptr %excinfo.2.i.i295, align 8, !noalias !158
  br label %B642.if

B380.endif.i:                                     ; preds = %B1028.i.i, %B1016.i.i, %B1258.i.i, %B1176.i.i, %B928.i.i, %B380.i
  %.273.0.ph.i = phi i64 [ %"$phi1244.1.2.0.i.i", %B1176.i.i ], [ %state.2.0.i165.i, %B1258.i.i ], [ -1, %B380.i ], [ %..i.i, %B928.i.i ], [ -6, %B1016.i.i ], [ -6, %B1028.i.i ]
  br label %B642.endif

B436.if.i:                                        ; preds = %B616.i.i
  %.1114.i.i = load ptr, ptr %excinfo.1.i168.i, align 8, !noalias !162
  br label %B642.if

B436.endif.i:                                     ; preds = %B616.endif.i.i, %B592.i.i, %B574.i190.i, %B702.loopexit.i.i, %B436.i
  %.317.0.ph.i = phi i64 [ %.153.i.i, %B436.i ], [ %.1248.pre.i.i, %B702.loopexit.i.i ], [ %.253.022.i.i, %B574.i190.i ], [ -3, %B616.endif.i.i ], [ %.253.022.i.i, %B592.i.i ]
  br label %B642.endif

B252.if:                                          ; preds = %B36.if.i
  %.198.i = load ptr, ptr %excinfo.1.i, align 8, !noalias !0
  store ptr %.198.i, ptr %excinfo, align 8
  br label %common.ret

B524.if:                                          ; preds = %B700.i, %B462.i, %B316.i, %B200.i, %B524
  %excinfo.3.0.in = phi ptr [ %excinfo.4.i, %B462.i ], [ %excinfo.3.i, %B316.i ], [ %excinfo.2.i, %B200.i ], [ %excinfo.1.i281, %B524 ], [ %excinfo.7.i, %B700.i ]
  %excinfo.3.0 = load ptr, ptr %excinfo.3.0.in, align 8, !noalias !5
  store ptr %excinfo.3.0, ptr %excinfo, align 8
  br label %common.ret

B524.endif:                                       ; preds = %B538.i, %B84.i, %B0.endif.i, %B280.i, %B664.i, %B200.endif.i, %B880.i, %B316.endif.i, %B844.i
  %.469.0.ph = phi i64 [ 1, %B844.i ], [ 1, %B316.endif.i ], [ %.682.i, %B880.i ], [ %.436.i, %B664.i ], [ 1, %B538.i ], [ 1, %B200.endif.i ], [ %.211.i, %B280.i ], [ 1, %B0.endif.i ], [ %.81.i, %B84.i ]
  store i64 %.469.0.ph, ptr %retptr, align 8
  br label %common.ret

B580.if:                                          ; preds = %B526.if.i, %B470.if.i, %B414.if.i, %B360.if.i, %B304.if.i, %B250.if.i, %B138.if.i, %B26.if.i
  %excinfo.4.0 = phi ptr [ %.753.i.i, %B526.if.i ], [ %excinfo.4.0.i, %B304.if.i ], [ %.40.i292, %B26.if.i ], [ %.852.i.i, %B414.if.i ], [ %.85.i, %B138.if.i ], [ %.1101.i.i, %B360.if.i ], [ %excinfo.3.0.i, %B250.if.i ], [ %.938.i.i, %B470.if.i ]
  store ptr %excinfo.4.0, ptr %excinfo, align 8
  br label %common.ret

B580.endif:                                       ; preds = %B26.endif.i, %B138.endif.i, %B250.endif.i, %B304.endif.i, %B360.endif.i, %B414.endif.i, %B470.endif.i, %B526.endif.i
  %.512.0.ph = phi i64 [ %.49.i, %B26.endif.i ], [ %.335.0.ph.i, %B526.endif.i ], [ %.291.0.ph.i, %B470.endif.i ], [ %.248.0.ph.i, %B414.endif.i ], [ %.207.0.ph.i, %B360.endif.i ], [ %.163.0.ph.i, %B304.endif.i ], [ %.122.0.ph.i, %B250.endif.i ], [ %.94.i, %B138.endif.i ]
  %.512.0.ph.fr = freeze i64 %.512.0.ph
  %.8.i384 = icmp sgt i64 %.512.0.ph.fr, -1
  br i1 %.8.i384, label %B16.i391, label %B52.i385

B16.i391:                                         ; preds = %B580.endif
  %.11.i392 = shl i64 %.512.0.ph.fr, 4
  br label %entry.answer.exit393

B52.i385:                                         ; preds = %B580.endif
  %switch.selectcmp.i386 = icmp eq i64 %.512.0.ph.fr, -6
  %spec.select456 = select i1 %switch.selectcmp.i386, i64 4, i64 3
  %switch.selectcmp1.i388 = icmp eq i64 %.512.0.ph.fr, -3
  %spec.select458 = select i1 %switch.selectcmp1.i388, i64 1, i64 %spec.select456
  br label %entry.answer.exit393

entry.answer.exit393:                             ; preds = %B52.i385, %.thread449, %B16.i391
  %"$phi136.0.2.0.sink.i390" = phi i64 [ %.11.i392, %B16.i391 ], [ 3, %.thread449 ], [ %spec.select458, %B52.i385 ]
  store i64 %"$phi136.0.2.0.sink.i390", ptr %retptr, align 8
  br label %common.ret

B642.if:                                          ; preds = %B436.if.i, %B380.if.i, %B256.if.i, %B202.if.i, %B26.endif.if.i
  %excinfo.6.0 = phi ptr [ %.156.i365, %B202.if.i ], [ %.1428.i.i, %B380.if.i ], [ %.73.i, %B26.endif.if.i ], [ %.198.i.i363, %B256.if.i ], [ %.1114.i.i, %B436.if.i ]
  store ptr %excinfo.6.0, ptr %excinfo, align 8
  br label %common.ret

B642.endif:                                       ; preds = %B26.endif.endif.i, %B146.i, %B202.endif.i, %B256.endif.i, %B380.endif.i, %B436.endif.i
  %.578.0.ph = phi i64 [ %.317.0.ph.i, %B436.endif.i ], [ %.273.0.ph.i, %B380.endif.i ], [ %.228.0.ph.i, %B256.endif.i ], [ %.165.i, %B202.endif.i ], [ %.121.i, %B146.i ], [ %.82.i, %B26.endif.endif.i ]
  %.8.i394 = icmp sgt i64 %.578.0.ph, -1
  br i1 %.8.i394, label %B16.i401, label %B52.i395

B16.i401:                                         ; preds = %B642.endif.thread, %B642.endif
  %.578.0.ph455 = phi i64 [ 0, %B642.endif.thread ], [ %.578.0.ph, %B642.endif ]
  %.11.i402 = shl i64 %.578.0.ph455, 4
  br label %entry.answer.exit403

B52.i395:                                         ; preds = %B642.endif
  %switch.selectcmp.i396 = icmp eq i64 %.578.0.ph, -6
  %switch.select.i397 = select i1 %switch.selectcmp.i396, i64 4, i64 3
  %switch.selectcmp1.i398 = icmp eq i64 %.578.0.ph, -3
  %switch.select2.i399 = select i1 %switch.selectcmp1.i398, i64 1, i64 %switch.select.i397
  br label %entry.answer.exit403

entry.answer.exit403:                             ; preds = %B16.i401, %B52.i395
  %"$phi136.0.2.0.sink.i400" = phi i64 [ %switch.select2.i399, %B52.i395 ], [ %.11.i402, %B16.i401 ]
  store i64 %"$phi136.0.2.0.sink.i400", ptr %retptr, align 8
  br label %common.ret
}

define internal fastcc i32 @states.step(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.state, i64 %arg.byte) unnamed_addr {
entry:
  %.305.i = alloca i64, align 8
  %.348.i = alloca i64, align 8
  %excinfo.2.i = alloca ptr, align 8
  %.1415.i = alloca i64, align 8
  %.2026.i = alloca i64, align 8
  %excinfo.5.i = alloca ptr, align 8
  %.245.i = alloca i64, align 8
  %excinfo.1.i = alloca ptr, align 8
  %.401 = alloca i64, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 120
  %.30 = load i64, ptr %.29, align 8
  %.32 = getelementptr i8, ptr %arg.m.4, i64 136
  %.33 = load i64, ptr %.32, align 8
  %.39 = inttoptr i64 %.30 to ptr
  %.93 = icmp slt i64 %arg.state, 0
  %.94 = select i1 %.93, i64 %.33, i64 0
  %.95 = add i64 %.94, %arg.state
  %.idx = shl i64 %.95, 6
  %0 = getelementptr i8, ptr %.39, i64 %.idx
  %.119 = getelementptr i8, ptr %0, i64 24
  %.120 = load i64, ptr %.119, align 8
  switch i64 %.120, label %B252 [
    i64 1, label %B88
    i64 0, label %B238
  ]

B88:                                              ; preds = %entry
  %.137 = getelementptr i8, ptr %arg.m.4, i64 192
  %.138 = load i64, ptr %.137, align 8
  %.140 = getelementptr i8, ptr %arg.m.4, i64 208
  %.141 = load i64, ptr %.140, align 8
  %.147 = inttoptr i64 %.138 to ptr
  %.225 = load i64, ptr %0, align 8
  %.252 = icmp slt i64 %.225, 0
  %.253 = select i1 %.252, i64 %.141, i64 0
  %.254 = add i64 %.253, %.225
  %1 = lshr i64 %arg.byte, 55
  %2 = and i64 %1, 256
  %.274 = shl i64 %.254, 8
  %3 = getelementptr i8, ptr %.147, i64 %.274
  %4 = getelementptr i8, ptr %3, i64 %arg.byte
  %.278 = getelementptr i8, ptr %4, i64 %2
  %.279 = load i8, ptr %.278, align 1
  %.281 = icmp eq i8 %.279, 0
  br i1 %.281, label %B180, label %B194

common.ret:                                       ; preds = %B468.if, %B194.if, %B468.endif, %B194.endif, %B504, %B340, %B238, %B180
  %common.ret.op = phi i32 [ 0, %B180 ], [ 0, %B238 ], [ 0, %B340 ], [ 0, %B504 ], [ 0, %B194.endif ], [ 1, %B468.if ], [ 1, %B194.if ], [ 0, %B468.endif ]
  ret i32 %common.ret.op

B180:                                             ; preds = %B88
  store i64 -1, ptr %retptr, align 8
  br label %common.ret

B194:                                             ; preds = %B88
  store ptr null, ptr %excinfo.1.i, align 8, !noalias !175
  %.116.i = getelementptr i8, ptr %0, i64 8
  %.117.i = load i64, ptr %.116.i, align 8, !noalias !175
  %.118.i = icmp eq i64 %.117.i, -2
  br i1 %.118.i, label %B94.i, label %B194.endif

B94.i:                                            ; preds = %B194
  %.129.i = getelementptr i8, ptr %arg.m.4, i64 96
  %.130.i = load i64, ptr %.129.i, align 8, !noalias !175
  %.132.i = getelementptr i8, ptr %arg.m.4, i64 112
  %.133.i = load i64, ptr %.132.i, align 8, !noalias !175
  %.139.i = inttoptr i64 %.130.i to ptr
  %.212.i = getelementptr i8, ptr %0, i64 16
  %.213.i = load i64, ptr %.212.i, align 8, !noalias !175
  %.226.i = icmp slt i64 %.213.i, 0
  %.227.i = select i1 %.226.i, i64 %.133.i, i64 0
  %5 = getelementptr i64, ptr %.139.i, i64 %.213.i
  %.241.i = getelementptr i64, ptr %5, i64 %.227.i
  %.242.i = load i64, ptr %.241.i, align 8, !noalias !175
  %.243.i = and i64 %.242.i, 4294967295
  store i64 0, ptr %.245.i, align 8, !noalias !175
  %.251.i = call fastcc i32 @states.state_of(ptr %.245.i, ptr %excinfo.1.i, ptr nonnull %arg.m.4, i64 %.243.i)
  %.253.not.i = icmp eq i32 %.251.i, 0
  %.261.i = load i64, ptr %.245.i, align 8, !noalias !175
  br i1 %.253.not.i, label %B94.endif.i, label %B194.if, !prof !4

B244.i:                                           ; preds = %B94.endif.i
  store i64 %.261.i, ptr %.116.i, align 8, !noalias !175
  br label %B194.endif

B94.endif.i:                                      ; preds = %B94.i
  %.279.i = icmp eq i64 %.261.i, -3
  br i1 %.279.i, label %B194.endif, label %B244.i

B238:                                             ; preds = %entry
  store i64 -1, ptr %retptr, align 8
  br label %common.ret

B252:                                             ; preds = %entry
  %.395 = load i64, ptr %0, align 8
  %.396 = icmp slt i64 %.395, 0
  br i1 %.396, label %B290, label %B354

B290:                                             ; preds = %B252
  store i64 0, ptr %.401, align 8
  call fastcc void @states.new_row(ptr %.401, ptr nonnull %arg.m.4, i64 %arg.state)
  %.417 = load i64, ptr %.401, align 8
  %.427 = icmp eq i64 %.417, -3
  br i1 %.427, label %B340, label %B290.B354_crit_edge

B290.B354_crit_edge:                              ; preds = %B290
  %.535.pre = load i64, ptr %0, align 8
  br label %B354

B340:                                             ; preds = %B290
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B354:                                             ; preds = %B290.B354_crit_edge, %B252
  %.535 = phi i64 [ %.535.pre, %B290.B354_crit_edge ], [ %.395, %B252 ]
  %.447 = getelementptr i8, ptr %arg.m.4, i64 168
  %.448 = load i64, ptr %.447, align 8
  %.450 = getelementptr i8, ptr %arg.m.4, i64 184
  %.451 = load i64, ptr %.450, align 8
  %.457 = inttoptr i64 %.448 to ptr
  %.555 = icmp slt i64 %.535, 0
  %.556 = select i1 %.555, i64 %.451, i64 0
  %.557 = add i64 %.556, %.535
  %.576.idx = shl i64 %.557, 10
  %.576 = getelementptr i8, ptr %.457, i64 %.576.idx
  %6 = lshr i64 %arg.byte, 55
  %7 = and i64 %6, 256
  %8 = getelementptr i32, ptr %.576, i64 %arg.byte
  %.637 = getelementptr i32, ptr %8, i64 %7
  %.638 = load i32, ptr %.637, align 4
  %.640 = icmp slt i32 %.638, -1
  br i1 %.640, label %B468, label %B504

B468:                                             ; preds = %B354
  store ptr null, ptr %excinfo.2.i, align 8, !noalias !179
  store ptr null, ptr %excinfo.5.i, align 8, !noalias !179
  %.41.i = load i64, ptr %.29, align 8, !noalias !179
  %.44.i = load i64, ptr %.32, align 8, !noalias !179
  %.50.i = inttoptr i64 %.41.i to ptr
  %.82.i = getelementptr i8, ptr %arg.m.4, i64 96
  %.83.i = load i64, ptr %.82.i, align 8, !noalias !179
  %.85.i = getelementptr i8, ptr %arg.m.4, i64 112
  %.86.i = load i64, ptr %.85.i, align 8, !noalias !179
  %.92.i382 = inttoptr i64 %.83.i to ptr
  %.120.i = getelementptr i8, ptr %arg.m.4, i64 192
  %.121.i = load i64, ptr %.120.i, align 8, !noalias !179
  %.123.i = getelementptr i8, ptr %arg.m.4, i64 208
  %.124.i = load i64, ptr %.123.i, align 8, !noalias !179
  %.130.i383 = inttoptr i64 %.121.i to ptr
  %.177.i = icmp slt i64 %arg.byte, 0
  %.178.i = select i1 %.177.i, i64 256, i64 0
  %.192.i = getelementptr i32, ptr %8, i64 %.178.i
  %.193.i = load i32, ptr %.192.i, align 4, !noalias !179
  %.199.i = icmp slt i32 %.193.i, -15
  br i1 %.199.i, label %B168.i, label %B490.i

B168.i:                                           ; preds = %B468
  %.233.i = select i1 %.93, i64 %.44.i, i64 0
  %.234.i = add i64 %.233.i, %arg.state
  %.idx.i385 = shl i64 %.234.i, 6
  %9 = getelementptr i8, ptr %.50.i, i64 %.idx.i385
  %.258.i = getelementptr i8, ptr %9, i64 16
  %.259.i = load i64, ptr %.258.i, align 8, !noalias !179
  %narrow.i = sub nuw nsw i32 -16, %.193.i
  %.262.i = zext i32 %narrow.i to i64
  %.265.i = add i64 %.259.i, %.262.i
  %.279.i386 = icmp slt i64 %.265.i, 0
  %.280.i = select i1 %.279.i386, i64 %.86.i, i64 0
  %10 = getelementptr i64, ptr %.92.i382, i64 %.265.i
  %.294.i = getelementptr i64, ptr %10, i64 %.280.i
  %.295.i = load i64, ptr %.294.i, align 8, !noalias !179
  store i64 0, ptr %.305.i, align 8, !noalias !179
  call fastcc void @leaves.after_leaf(ptr %.305.i, ptr nonnull %arg.m.4, i64 %.295.i, i64 %arg.byte)
  %.321.i = load i64, ptr %.305.i, align 8, !noalias !179
  %.337.i = icmp eq i64 %.321.i, -3
  br i1 %.337.i, label %B468.endif, label %B302.i

B302.i:                                           ; preds = %B168.i
  store i64 0, ptr %.348.i, align 8, !noalias !179
  %.354.i = call fastcc i32 @states.state_of(ptr %.348.i, ptr %excinfo.2.i, ptr nonnull %arg.m.4, i64 %.321.i)
  %.356.not.i = icmp eq i32 %.354.i, 0
  br i1 %.356.not.i, label %B332.i, label %B468.if, !prof !4

B332.i:                                           ; preds = %B302.i
  %.364.i = load i64, ptr %.348.i, align 8, !noalias !179
  %.386.i = icmp eq i64 %.364.i, -3
  br i1 %.386.i, label %B468.endif, label %B370.i

B370.i:                                           ; preds = %B332.i
  %.403.i = and i64 %.295.i, 4294967295
  %.407.not.i = icmp eq i64 %.321.i, %.403.i
  %11 = trunc i64 %.364.i to i32
  br i1 %.407.not.i, label %vector.ph60, label %B388.i

vector.ph60:                                      ; preds = %B370.i
  %broadcast.splatinsert61 = insertelement <4 x i32> poison, i32 %.193.i, i64 0
  %broadcast.splat62 = shufflevector <4 x i32> %broadcast.splatinsert61, <4 x i32> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert63 = insertelement <4 x i32> poison, i32 %11, i64 0
  %broadcast.splat64 = shufflevector <4 x i32> %broadcast.splatinsert63, <4 x i32> poison, <4 x i32> zeroinitializer
  br label %vector.body65

vector.body65:                                    ; preds = %vector.body65, %vector.ph60
  %index66 = phi i64 [ 0, %vector.ph60 ], [ %index.next69, %vector.body65 ]
  %12 = getelementptr i32, ptr %.576, i64 %index66
  %13 = getelementptr i8, ptr %12, i64 16
  %wide.load67 = load <4 x i32>, ptr %12, align 4, !noalias !179
  %wide.load68 = load <4 x i32>, ptr %13, align 4, !noalias !179
  %14 = icmp eq <4 x i32> %wide.load67, %broadcast.splat62
  %15 = icmp eq <4 x i32> %wide.load68, %broadcast.splat62
  %16 = select <4 x i1> %14, <4 x i32> %broadcast.splat64, <4 x i32> %wide.load67
  %17 = select <4 x i1> %15, <4 x i32> %broadcast.splat64, <4 x i32> %wide.load68
  store <4 x i32> %16, ptr %12, align 4, !noalias !179
  store <4 x i32> %17, ptr %13, align 4, !noalias !179
  %index.next69 = add nuw i64 %index66, 8
  %18 = icmp eq i64 %index.next69, 256
  br i1 %18, label %B468.endif, label %vector.body65, !llvm.loop !183

B388.i:                                           ; preds = %B370.i
  store i32 %11, ptr %.192.i, align 4, !noalias !179
  br label %B468.endif

B490.i:                                           ; preds = %B468
  %.708.i = getelementptr i8, ptr %arg.m.4, i64 264
  %.709.i = load i64, ptr %.708.i, align 8, !noalias !179
  %.711.i = getelementptr i8, ptr %arg.m.4, i64 280
  %.712.i = load i64, ptr %.711.i, align 8, !noalias !179
  %.718.i = inttoptr i64 %.709.i to ptr
  %.746.i = getelementptr i8, ptr %arg.m.4, i64 312
  %.747.i = load i64, ptr %.746.i, align 8, !noalias !179
  %.756.i = inttoptr i64 %.747.i to ptr
  %.810.i = select i1 %.93, i64 %.44.i, i64 0
  %.811.i = add i64 %.810.i, %arg.state
  %.idx9.i = shl i64 %.811.i, 6
  %19 = getelementptr i8, ptr %.50.i, i64 %.idx9.i
  %.835.i = getelementptr i8, ptr %19, i64 16
  %.836.i = load i64, ptr %.835.i, align 8, !noalias !179
  %.892.i = getelementptr i8, ptr %19, i64 24
  %.893.i = load i64, ptr %.892.i, align 8, !noalias !179
  %.49.i.i = getelementptr i8, ptr %arg.m.4, i64 272
  %.50.i.i = load i64, ptr %.49.i.i, align 8, !noalias !184
  %.51.i.i = add nsw i64 %.50.i.i, %.893.i
  %.84.not.i.i = icmp sgt i64 %.51.i.i, %.712.i
  br i1 %.84.not.i.i, label %B678.i, label %B722.if.i.preheader

B722.if.i.preheader:                              ; preds = %B490.i
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(256) %.756.i, i8 1, i64 256, i1 false), !noalias !179
  %.120417.not.i = icmp slt i64 %.893.i, 1
  br i1 %.120417.not.i, label %B1340.i, label %B780.if.lr.ph.i

B678.i:                                           ; preds = %B490.i
  %.122.i.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 33, ptr %.122.i.i, align 8, !noalias !184
  br label %B468.endif

B780.if.lr.ph.i:                                  ; preds = %B722.if.i.preheader
  %.1363.i = add i64 %arg.byte, 256
  %.1364.i = select i1 %.177.i, i64 %.1363.i, i64 %arg.byte
  %scevgep = getelementptr i8, ptr %.756.i, i64 256
  %scevgep3 = getelementptr i8, ptr %.130.i383, i64 256
  %scevgep9 = getelementptr i8, ptr %.130.i383, i64 256
  %broadcast.splatinsert = insertelement <2 x i64> poison, i64 %arg.byte, i64 0
  %broadcast.splat = shufflevector <2 x i64> %broadcast.splatinsert, <2 x i64> poison, <2 x i32> zeroinitializer
  %20 = getelementptr i8, ptr %.756.i, i64 16
  %21 = getelementptr i8, ptr %.756.i, i64 32
  %22 = getelementptr i8, ptr %.756.i, i64 48
  %23 = getelementptr i8, ptr %.756.i, i64 64
  %24 = getelementptr i8, ptr %.756.i, i64 80
  %25 = getelementptr i8, ptr %.756.i, i64 96
  %26 = getelementptr i8, ptr %.756.i, i64 112
  %27 = getelementptr i8, ptr %.756.i, i64 128
  %28 = getelementptr i8, ptr %.756.i, i64 144
  %29 = getelementptr i8, ptr %.756.i, i64 160
  %30 = getelementptr i8, ptr %.756.i, i64 176
  %31 = getelementptr i8, ptr %.756.i, i64 192
  %32 = getelementptr i8, ptr %.756.i, i64 208
  %33 = getelementptr i8, ptr %.756.i, i64 224
  %34 = getelementptr i8, ptr %.756.i, i64 240
  br label %B780.if.i

B834.i:                                           ; preds = %B780.if.i
  store i64 0, ptr %.1415.i, align 8, !noalias !179
  call fastcc void @leaves.after_leaf(ptr %.1415.i, ptr %arg.m.4, i64 %.1275.i, i64 %arg.byte)
  %.1431.i = load i64, ptr %.1415.i, align 8, !noalias !179
  %.1445.i = icmp eq i64 %.1431.i, -3
  br i1 %.1445.i, label %B468.endif, label %vector.memcheck8

vector.memcheck8:                                 ; preds = %B834.i
  %scevgep10 = getelementptr i8, ptr %scevgep9, i64 %.1314.i
  %35 = shl i64 %.1260.i, 3
  %scevgep12 = getelementptr i8, ptr %scevgep11, i64 %35
  %bound013 = icmp ugt ptr %scevgep10, %.756.i
  %bound114 = icmp ult ptr %.1316.i, %scevgep
  %found.conflict15 = and i1 %bound013, %bound114
  %bound016 = icmp ugt ptr %scevgep12, %.756.i
  %bound117 = icmp ult ptr %.1274.i, %scevgep
  %found.conflict18 = and i1 %bound016, %bound117
  %conflict.rdx = or i1 %found.conflict15, %found.conflict18
  br i1 %conflict.rdx, label %B950.if.i, label %vector.ph20

vector.ph20:                                      ; preds = %vector.memcheck8
  %36 = load i64, ptr %.1274.i, align 8, !alias.scope !187, !noalias !179
  %37 = and i64 %36, 4294967295
  %38 = icmp eq i64 %.1431.i, %37
  %broadcast.splatinsert27 = insertelement <2 x i1> poison, i1 %38, i64 0
  %broadcast.splat28 = shufflevector <2 x i1> %broadcast.splatinsert27, <2 x i1> poison, <2 x i32> zeroinitializer
  br label %vector.body21

vector.body21:                                    ; preds = %vector.body21, %vector.ph20
  %index22 = phi i64 [ 0, %vector.ph20 ], [ %index.next29, %vector.body21 ]
  %vec.ind = phi <2 x i64> [ <i64 0, i64 1>, %vector.ph20 ], [ %vec.ind.next, %vector.body21 ]
  %step.add = add <2 x i64> %vec.ind, <i64 2, i64 2>
  %39 = getelementptr i8, ptr %.756.i, i64 %index22
  %40 = getelementptr i8, ptr %39, i64 2
  %wide.load23 = load <2 x i8>, ptr %39, align 1, !alias.scope !190, !noalias !192
  %wide.load24 = load <2 x i8>, ptr %40, align 1, !alias.scope !190, !noalias !192
  %41 = getelementptr i8, ptr %.1316.i, i64 %index22
  %42 = getelementptr i8, ptr %41, i64 2
  %wide.load25 = load <2 x i8>, ptr %41, align 1, !alias.scope !194, !noalias !179
  %wide.load26 = load <2 x i8>, ptr %42, align 1, !alias.scope !194, !noalias !179
  %43 = icmp eq <2 x i64> %vec.ind, %broadcast.splat
  %44 = icmp eq <2 x i64> %step.add, %broadcast.splat
  %45 = or <2 x i1> %43, %broadcast.splat28
  %46 = or <2 x i1> %44, %broadcast.splat28
  %47 = and <2 x i8> %wide.load25, <i8 1, i8 1>
  %48 = and <2 x i8> %wide.load26, <i8 1, i8 1>
  %49 = select <2 x i1> %45, <2 x i8> %47, <2 x i8> zeroinitializer
  %50 = select <2 x i1> %46, <2 x i8> %48, <2 x i8> zeroinitializer
  %51 = and <2 x i8> %49, %wide.load23
  %52 = and <2 x i8> %50, %wide.load24
  store <2 x i8> %51, ptr %39, align 1, !alias.scope !190, !noalias !192
  store <2 x i8> %52, ptr %40, align 1, !alias.scope !190, !noalias !192
  %index.next29 = add nuw i64 %index22, 4
  %vec.ind.next = add <2 x i64> %vec.ind, <i64 4, i64 4>
  %53 = icmp eq i64 %index.next29, 256
  br i1 %53, label %B1098.i, label %vector.body21, !llvm.loop !195

B1098.i:                                          ; preds = %vector.body21, %B950.if.i
  %.1752.i = icmp slt i64 %found.2.020.i, 0
  %.1753.i = select i1 %.1752.i, i64 %.712.i, i64 0
  %54 = getelementptr i64, ptr %.718.i, i64 %found.2.020.i
  %.1767.i = getelementptr i64, ptr %54, i64 %.1753.i
  store i64 %.1431.i, ptr %.1767.i, align 8, !noalias !179
  %.1772.i = add nsw i64 %found.2.020.i, 1
  br label %B1403.i

B1208.i:                                          ; preds = %B1403.i
  %.2019.i = icmp sgt i64 %found.3.1.i, 0
  br i1 %.2019.i, label %B1220.i, label %B1340.i

B1220.i:                                          ; preds = %B1208.i
  store i64 0, ptr %.2026.i, align 8, !noalias !179
  %.2032.i = call fastcc i32 @states.join(ptr %.2026.i, ptr %excinfo.5.i, ptr %arg.m.4, i64 %found.3.1.i)
  %.2034.not.i = icmp eq i32 %.2032.i, 0
  br i1 %.2034.not.i, label %B1316.i, label %B468.if, !prof !4

B1316.i:                                          ; preds = %B1220.i
  %.2042.i = load i64, ptr %.2026.i, align 8, !noalias !179
  %.2072.not.i = icmp eq i64 %.2042.i, -3
  br i1 %.2072.not.i, label %B468.endif, label %B1340.i

B1340.i:                                          ; preds = %B1316.i, %B1208.i, %B722.if.i.preheader
  %"$phi1316.0.2.07.i" = phi i64 [ %.2042.i, %B1316.i ], [ -1, %B1208.i ], [ -1, %B722.if.i.preheader ]
  %.2258.i = trunc i64 %"$phi1316.0.2.07.i" to i32
  %55 = getelementptr i8, ptr %.457, i64 %.576.idx
  %scevgep32 = getelementptr i8, ptr %55, i64 1024
  %scevgep33 = getelementptr i8, ptr %.756.i, i64 256
  %bound034 = icmp ult ptr %.576, %scevgep33
  %bound135 = icmp ugt ptr %scevgep32, %.756.i
  %found.conflict36 = and i1 %bound034, %bound135
  br i1 %found.conflict36, label %B1370.if.i, label %vector.body39

vector.body39:                                    ; preds = %B1340.i, %pred.store.continue56
  %index40 = phi i64 [ %index.next57, %pred.store.continue56 ], [ 0, %B1340.i ]
  %56 = getelementptr i8, ptr %.756.i, i64 %index40
  %57 = getelementptr i8, ptr %56, i64 4
  %wide.load41 = load <4 x i8>, ptr %56, align 1, !alias.scope !196, !noalias !179
  %wide.load42 = load <4 x i8>, ptr %57, align 1, !alias.scope !196, !noalias !179
  %58 = icmp ne <4 x i8> %wide.load41, zeroinitializer
  %59 = icmp ne <4 x i8> %wide.load42, zeroinitializer
  %60 = extractelement <4 x i1> %58, i64 0
  br i1 %60, label %pred.store.if, label %pred.store.continue

pred.store.if:                                    ; preds = %vector.body39
  %61 = getelementptr i32, ptr %.576, i64 %index40
  store i32 %.2258.i, ptr %61, align 4, !alias.scope !199, !noalias !201
  br label %pred.store.continue

pred.store.continue:                              ; preds = %pred.store.if, %vector.body39
  %62 = extractelement <4 x i1> %58, i64 1
  br i1 %62, label %pred.store.if43, label %pred.store.continue44

pred.store.if43:                                  ; preds = %pred.store.continue
  %63 = getelementptr i32, ptr %.576, i64 %index40
  %64 = getelementptr i8, ptr %63, i64 4
  store i32 %.2258.i, ptr %64, align 4, !alias.scope !199, !noalias !201
  br label %pred.store.continue44

pred.store.continue44:                            ; preds = %pred.store.if43, %pred.store.continue
  %65 = extractelement <4 x i1> %58, i64 2
  br i1 %65, label %pred.store.if45, label %pred.store.continue46

pred.store.if45:                                  ; preds = %pred.store.continue44
  %66 = getelementptr i32, ptr %.576, i64 %index40
  %67 = getelementptr i8, ptr %66, i64 8
  store i32 %.2258.i, ptr %67, align 4, !alias.scope !199, !noalias !201
  br label %pred.store.continue46

pred.store.continue46:                            ; preds = %pred.store.if45, %pred.store.continue44
  %68 = extractelement <4 x i1> %58, i64 3
  br i1 %68, label %pred.store.if47, label %pred.store.continue48

pred.store.if47:                                  ; preds = %pred.store.continue46
  %69 = getelementptr i32, ptr %.576, i64 %index40
  %70 = getelementptr i8, ptr %69, i64 12
  store i32 %.2258.i, ptr %70, align 4, !alias.scope !199, !noalias !201
  br label %pred.store.continue48

pred.store.continue48:                            ; preds = %pred.store.if47, %pred.store.continue46
  %71 = extractelement <4 x i1> %59, i64 0
  br i1 %71, label %pred.store.if49, label %pred.store.continue50

pred.store.if49:                                  ; preds = %pred.store.continue48
  %72 = getelementptr i32, ptr %.576, i64 %index40
  %73 = getelementptr i8, ptr %72, i64 16
  store i32 %.2258.i, ptr %73, align 4, !alias.scope !199, !noalias !201
  br label %pred.store.continue50

pred.store.continue50:                            ; preds = %pred.store.if49, %pred.store.continue48
  %74 = extractelement <4 x i1> %59, i64 1
  br i1 %74, label %pred.store.if51, label %pred.store.continue52

pred.store.if51:                                  ; preds = %pred.store.continue50
  %75 = getelementptr i32, ptr %.576, i64 %index40
  %76 = getelementptr i8, ptr %75, i64 20
  store i32 %.2258.i, ptr %76, align 4, !alias.scope !199, !noalias !201
  br label %pred.store.continue52

pred.store.continue52:                            ; preds = %pred.store.if51, %pred.store.continue50
  %77 = extractelement <4 x i1> %59, i64 2
  br i1 %77, label %pred.store.if53, label %pred.store.continue54

pred.store.if53:                                  ; preds = %pred.store.continue52
  %78 = getelementptr i32, ptr %.576, i64 %index40
  %79 = getelementptr i8, ptr %78, i64 24
  store i32 %.2258.i, ptr %79, align 4, !alias.scope !199, !noalias !201
  br label %pred.store.continue54

pred.store.continue54:                            ; preds = %pred.store.if53, %pred.store.continue52
  %80 = extractelement <4 x i1> %59, i64 3
  br i1 %80, label %pred.store.if55, label %pred.store.continue56

pred.store.if55:                                  ; preds = %pred.store.continue54
  %81 = getelementptr i32, ptr %.576, i64 %index40
  %82 = getelementptr i8, ptr %81, i64 28
  store i32 %.2258.i, ptr %82, align 4, !alias.scope !199, !noalias !201
  br label %pred.store.continue56

pred.store.continue56:                            ; preds = %pred.store.if55, %pred.store.continue54
  %index.next57 = add nuw i64 %index40, 8
  %83 = icmp eq i64 %index.next57, 256
  br i1 %83, label %B468.endif, label %vector.body39, !llvm.loop !202

B1390.i:                                          ; preds = %B1370.if.i
  %84 = getelementptr i32, ptr %.576, i64 %.2097.021.i
  store i32 %.2258.i, ptr %84, align 4, !noalias !179
  br label %B1400.i

B1400.i:                                          ; preds = %B1370.if.i, %B1390.i
  %.2166.i.1 = add nuw nsw i64 %.2097.021.i, 2
  %85 = getelementptr i8, ptr %.756.i, i64 %.2166.i
  %.2224.i.1 = load i8, ptr %85, align 1, !noalias !179
  %.2225.not.i.1 = icmp eq i8 %.2224.i.1, 0
  br i1 %.2225.not.i.1, label %B1400.i.1, label %B1390.i.1

B1390.i.1:                                        ; preds = %B1400.i
  %86 = getelementptr i32, ptr %.576, i64 %.2166.i
  store i32 %.2258.i, ptr %86, align 4, !noalias !179
  br label %B1400.i.1

B1400.i.1:                                        ; preds = %B1390.i.1, %B1400.i
  %exitcond27.not.i.1 = icmp eq i64 %.2166.i.1, 256
  br i1 %exitcond27.not.i.1, label %B468.endif, label %B1370.if.i, !llvm.loop !203

B1403.i:                                          ; preds = %B1150.if.i, %vector.body, %B1098.i
  %found.3.1.i = phi i64 [ %.1772.i, %B1098.i ], [ %found.2.020.i, %vector.body ], [ %found.2.020.i, %B1150.if.i ]
  %.1204.i = icmp ugt i64 %.1151.019.i, 1
  %indvar.next = add i64 %indvar, 1
  br i1 %.1204.i, label %B780.if.i, label %B1208.i

B780.if.i:                                        ; preds = %B1403.i, %B780.if.lr.ph.i
  %indvar = phi i64 [ %indvar.next, %B1403.i ], [ 0, %B780.if.lr.ph.i ]
  %found.2.020.i = phi i64 [ %found.3.1.i, %B1403.i ], [ 0, %B780.if.lr.ph.i ]
  %.1151.019.i = phi i64 [ %.1213.i, %B1403.i ], [ %.893.i, %B780.if.lr.ph.i ]
  %.1148.018.i = phi i64 [ %.1217.i, %B1403.i ], [ %.836.i, %B780.if.lr.ph.i ]
  %87 = add i64 %.836.i, %indvar
  %88 = shl i64 %87, 3
  %89 = getelementptr i8, ptr %.92.i382, i64 %88
  %scevgep11 = getelementptr i8, ptr %89, i64 8
  %.1213.i = add nsw i64 %.1151.019.i, -1
  %.1217.i = add i64 %.1148.018.i, 1
  %.1259.i = icmp slt i64 %.1148.018.i, 0
  %.1260.i = select i1 %.1259.i, i64 %.86.i, i64 0
  %90 = getelementptr i64, ptr %.92.i382, i64 %.1148.018.i
  %.1274.i = getelementptr i64, ptr %90, i64 %.1260.i
  %.1275.i = load i64, ptr %.1274.i, align 8, !noalias !179
  %.1276.i = ashr i64 %.1275.i, 32
  %.1295.i = icmp slt i64 %.1276.i, 0
  %.1296.i = select i1 %.1295.i, i64 %.124.i, i64 0
  %.1297.i = add i64 %.1296.i, %.1276.i
  %.1314.i = shl i64 %.1297.i, 8
  %.1316.i = getelementptr i8, ptr %.130.i383, i64 %.1314.i
  %.1377.i = getelementptr i8, ptr %.1316.i, i64 %.1364.i
  %.1378.i = load i8, ptr %.1377.i, align 1, !noalias !179
  %.1379.not.i = icmp eq i8 %.1378.i, 0
  br i1 %.1379.not.i, label %vector.memcheck, label %B834.i

vector.memcheck:                                  ; preds = %B780.if.i
  %scevgep4 = getelementptr i8, ptr %scevgep3, i64 %.1314.i
  %bound0 = icmp ugt ptr %scevgep4, %.756.i
  %bound1 = icmp ult ptr %.1316.i, %scevgep
  %found.conflict = and i1 %bound0, %bound1
  br i1 %found.conflict, label %B1150.if.i, label %vector.body

vector.body:                                      ; preds = %vector.memcheck
  %wide.load = load <16 x i8>, ptr %.756.i, align 1, !alias.scope !204, !noalias !207
  %wide.load5 = load <16 x i8>, ptr %20, align 1, !alias.scope !204, !noalias !207
  %91 = getelementptr i8, ptr %.1316.i, i64 16
  %wide.load6 = load <16 x i8>, ptr %.1316.i, align 1, !alias.scope !209, !noalias !179
  %wide.load7 = load <16 x i8>, ptr %91, align 1, !alias.scope !209, !noalias !179
  %92 = xor <16 x i8> %wide.load6, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %93 = xor <16 x i8> %wide.load7, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %94 = and <16 x i8> %92, %wide.load
  %95 = and <16 x i8> %93, %wide.load5
  store <16 x i8> %94, ptr %.756.i, align 1, !alias.scope !204, !noalias !207
  store <16 x i8> %95, ptr %20, align 1, !alias.scope !204, !noalias !207
  %wide.load.1 = load <16 x i8>, ptr %21, align 1, !alias.scope !204, !noalias !207
  %wide.load5.1 = load <16 x i8>, ptr %22, align 1, !alias.scope !204, !noalias !207
  %96 = getelementptr i8, ptr %.1316.i, i64 32
  %97 = getelementptr i8, ptr %.1316.i, i64 48
  %wide.load6.1 = load <16 x i8>, ptr %96, align 1, !alias.scope !209, !noalias !179
  %wide.load7.1 = load <16 x i8>, ptr %97, align 1, !alias.scope !209, !noalias !179
  %98 = xor <16 x i8> %wide.load6.1, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %99 = xor <16 x i8> %wide.load7.1, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %100 = and <16 x i8> %98, %wide.load.1
  %101 = and <16 x i8> %99, %wide.load5.1
  store <16 x i8> %100, ptr %21, align 1, !alias.scope !204, !noalias !207
  store <16 x i8> %101, ptr %22, align 1, !alias.scope !204, !noalias !207
  %wide.load.2 = load <16 x i8>, ptr %23, align 1, !alias.scope !204, !noalias !207
  %wide.load5.2 = load <16 x i8>, ptr %24, align 1, !alias.scope !204, !noalias !207
  %102 = getelementptr i8, ptr %.1316.i, i64 64
  %103 = getelementptr i8, ptr %.1316.i, i64 80
  %wide.load6.2 = load <16 x i8>, ptr %102, align 1, !alias.scope !209, !noalias !179
  %wide.load7.2 = load <16 x i8>, ptr %103, align 1, !alias.scope !209, !noalias !179
  %104 = xor <16 x i8> %wide.load6.2, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %105 = xor <16 x i8> %wide.load7.2, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %106 = and <16 x i8> %104, %wide.load.2
  %107 = and <16 x i8> %105, %wide.load5.2
  store <16 x i8> %106, ptr %23, align 1, !alias.scope !204, !noalias !207
  store <16 x i8> %107, ptr %24, align 1, !alias.scope !204, !noalias !207
  %wide.load.3 = load <16 x i8>, ptr %25, align 1, !alias.scope !204, !noalias !207
  %wide.load5.3 = load <16 x i8>, ptr %26, align 1, !alias.scope !204, !noalias !207
  %108 = getelementptr i8, ptr %.1316.i, i64 96
  %109 = getelementptr i8, ptr %.1316.i, i64 112
  %wide.load6.3 = load <16 x i8>, ptr %108, align 1, !alias.scope !209, !noalias !179
  %wide.load7.3 = load <16 x i8>, ptr %109, align 1, !alias.scope !209, !noalias !179
  %110 = xor <16 x i8> %wide.load6.3, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %111 = xor <16 x i8> %wide.load7.3, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %112 = and <16 x i8> %110, %wide.load.3
  %113 = and <16 x i8> %111, %wide.load5.3
  store <16 x i8> %112, ptr %25, align 1, !alias.scope !204, !noalias !207
  store <16 x i8> %113, ptr %26, align 1, !alias.scope !204, !noalias !207
  %wide.load.4 = load <16 x i8>, ptr %27, align 1, !alias.scope !204, !noalias !207
  %wide.load5.4 = load <16 x i8>, ptr %28, align 1, !alias.scope !204, !noalias !207
  %114 = getelementptr i8, ptr %.1316.i, i64 128
  %115 = getelementptr i8, ptr %.1316.i, i64 144
  %wide.load6.4 = load <16 x i8>, ptr %114, align 1, !alias.scope !209, !noalias !179
  %wide.load7.4 = load <16 x i8>, ptr %115, align 1, !alias.scope !209, !noalias !179
  %116 = xor <16 x i8> %wide.load6.4, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %117 = xor <16 x i8> %wide.load7.4, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %118 = and <16 x i8> %116, %wide.load.4
  %119 = and <16 x i8> %117, %wide.load5.4
  store <16 x i8> %118, ptr %27, align 1, !alias.scope !204, !noalias !207
  store <16 x i8> %119, ptr %28, align 1, !alias.scope !204, !noalias !207
  %wide.load.5 = load <16 x i8>, ptr %29, align 1, !alias.scope !204, !noalias !207
  %wide.load5.5 = load <16 x i8>, ptr %30, align 1, !alias.scope !204, !noalias !207
  %120 = getelementptr i8, ptr %.1316.i, i64 160
  %121 = getelementptr i8, ptr %.1316.i, i64 176
  %wide.load6.5 = load <16 x i8>, ptr %120, align 1, !alias.scope !209, !noalias !179
  %wide.load7.5 = load <16 x i8>, ptr %121, align 1, !alias.scope !209, !noalias !179
  %122 = xor <16 x i8> %wide.load6.5, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %123 = xor <16 x i8> %wide.load7.5, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %124 = and <16 x i8> %122, %wide.load.5
  %125 = and <16 x i8> %123, %wide.load5.5
  store <16 x i8> %124, ptr %29, align 1, !alias.scope !204, !noalias !207
  store <16 x i8> %125, ptr %30, align 1, !alias.scope !204, !noalias !207
  %wide.load.6 = load <16 x i8>, ptr %31, align 1, !alias.scope !204, !noalias !207
  %wide.load5.6 = load <16 x i8>, ptr %32, align 1, !alias.scope !204, !noalias !207
  %126 = getelementptr i8, ptr %.1316.i, i64 192
  %127 = getelementptr i8, ptr %.1316.i, i64 208
  %wide.load6.6 = load <16 x i8>, ptr %126, align 1, !alias.scope !209, !noalias !179
  %wide.load7.6 = load <16 x i8>, ptr %127, align 1, !alias.scope !209, !noalias !179
  %128 = xor <16 x i8> %wide.load6.6, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %129 = xor <16 x i8> %wide.load7.6, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %130 = and <16 x i8> %128, %wide.load.6
  %131 = and <16 x i8> %129, %wide.load5.6
  store <16 x i8> %130, ptr %31, align 1, !alias.scope !204, !noalias !207
  store <16 x i8> %131, ptr %32, align 1, !alias.scope !204, !noalias !207
  %wide.load.7 = load <16 x i8>, ptr %33, align 1, !alias.scope !204, !noalias !207
  %wide.load5.7 = load <16 x i8>, ptr %34, align 1, !alias.scope !204, !noalias !207
  %132 = getelementptr i8, ptr %.1316.i, i64 224
  %133 = getelementptr i8, ptr %.1316.i, i64 240
  %wide.load6.7 = load <16 x i8>, ptr %132, align 1, !alias.scope !209, !noalias !179
  %wide.load7.7 = load <16 x i8>, ptr %133, align 1, !alias.scope !209, !noalias !179
  %134 = xor <16 x i8> %wide.load6.7, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %135 = xor <16 x i8> %wide.load7.7, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %136 = and <16 x i8> %134, %wide.load.7
  %137 = and <16 x i8> %135, %wide.load5.7
  store <16 x i8> %136, ptr %33, align 1, !alias.scope !204, !noalias !207
  store <16 x i8> %137, ptr %34, align 1, !alias.scope !204, !noalias !207
  br label %B1403.i

B950.if.i:                                        ; preds = %vector.memcheck8, %B950.if.i
  %.1496.013.i = phi i64 [ %.1565.i.1, %B950.if.i ], [ 0, %vector.memcheck8 ]
  %.1565.i = or i64 %.1496.013.i, 1
  %138 = getelementptr i8, ptr %.756.i, i64 %.1496.013.i
  %.1619.i = load i8, ptr %138, align 1, !noalias !179
  %.1648.i = getelementptr i8, ptr %.1316.i, i64 %.1496.013.i
  %.1649.i = load i8, ptr %.1648.i, align 1, !noalias !179
  %.1680.i = load i64, ptr %.1274.i, align 8, !noalias !179
  %.1681.i = and i64 %.1680.i, 4294967295
  %.1683.i = icmp eq i64 %.1431.i, %.1681.i
  %.1687.i = icmp eq i64 %.1496.013.i, %arg.byte
  %.16921121.i = or i1 %.1687.i, %.1683.i
  %139 = and i8 %.1649.i, 1
  %.1694.i = select i1 %.16921121.i, i8 %139, i8 0
  %.1696.i = and i8 %.1694.i, %.1619.i
  store i8 %.1696.i, ptr %138, align 1, !noalias !179
  %.1565.i.1 = add nuw nsw i64 %.1496.013.i, 2
  %140 = getelementptr i8, ptr %.756.i, i64 %.1565.i
  %.1619.i.1 = load i8, ptr %140, align 1, !noalias !179
  %.1648.i.1 = getelementptr i8, ptr %.1316.i, i64 %.1565.i
  %.1649.i.1 = load i8, ptr %.1648.i.1, align 1, !noalias !179
  %.1680.i.1 = load i64, ptr %.1274.i, align 8, !noalias !179
  %.1681.i.1 = and i64 %.1680.i.1, 4294967295
  %.1683.i.1 = icmp eq i64 %.1431.i, %.1681.i.1
  %.1687.i.1 = icmp eq i64 %.1565.i, %arg.byte
  %.16921121.i.1 = or i1 %.1687.i.1, %.1683.i.1
  %141 = and i8 %.1649.i.1, 1
  %.1694.i.1 = select i1 %.16921121.i.1, i8 %141, i8 0
  %.1696.i.1 = and i8 %.1694.i.1, %.1619.i.1
  store i8 %.1696.i.1, ptr %140, align 1, !noalias !179
  %exitcond25.not.i.1 = icmp eq i64 %.1565.i.1, 256
  br i1 %exitcond25.not.i.1, label %B1098.i, label %B950.if.i, !llvm.loop !210

B1150.if.i:                                       ; preds = %vector.memcheck, %B1150.if.i
  %.1804.015.i = phi i64 [ %.1873.i.1, %B1150.if.i ], [ 0, %vector.memcheck ]
  %.1873.i = or i64 %.1804.015.i, 1
  %142 = getelementptr i8, ptr %.756.i, i64 %.1804.015.i
  %.1927.i = load i8, ptr %142, align 1, !noalias !179
  %.1956.i = getelementptr i8, ptr %.1316.i, i64 %.1804.015.i
  %.1957.i = load i8, ptr %.1956.i, align 1, !noalias !179
  %143 = xor i8 %.1957.i, 1
  %.19611120.i = and i8 %143, %.1927.i
  store i8 %.19611120.i, ptr %142, align 1, !noalias !179
  %.1873.i.1 = add nuw nsw i64 %.1804.015.i, 2
  %144 = getelementptr i8, ptr %.756.i, i64 %.1873.i
  %.1927.i.1 = load i8, ptr %144, align 1, !noalias !179
  %.1956.i.1 = getelementptr i8, ptr %.1316.i, i64 %.1873.i
  %.1957.i.1 = load i8, ptr %.1956.i.1, align 1, !noalias !179
  %145 = xor i8 %.1957.i.1, 1
  %.19611120.i.1 = and i8 %145, %.1927.i.1
  store i8 %.19611120.i.1, ptr %144, align 1, !noalias !179
  %exitcond26.not.i.1 = icmp eq i64 %.1873.i.1, 256
  br i1 %exitcond26.not.i.1, label %B1403.i, label %B1150.if.i, !llvm.loop !211

B1370.if.i:                                       ; preds = %B1340.i, %B1400.i.1
  %.2097.021.i = phi i64 [ %.2166.i.1, %B1400.i.1 ], [ 0, %B1340.i ]
  %.2166.i = or i64 %.2097.021.i, 1
  %146 = getelementptr i8, ptr %.756.i, i64 %.2097.021.i
  %.2224.i = load i8, ptr %146, align 1, !noalias !179
  %.2225.not.i = icmp eq i8 %.2224.i, 0
  br i1 %.2225.not.i, label %B1400.i, label %B1390.i

B504:                                             ; preds = %B354
  %.639 = sext i32 %.638 to i64
  store i64 %.639, ptr %retptr, align 8
  br label %common.ret

B194.if:                                          ; preds = %B94.i
  %.252.i = load ptr, ptr %excinfo.1.i, align 8, !noalias !175
  store ptr %.252.i, ptr %excinfo, align 8
  br label %common.ret

B194.endif:                                       ; preds = %B94.endif.i, %B244.i, %B194
  %.292.0.ph = phi i64 [ %.117.i, %B194 ], [ %.261.i, %B244.i ], [ -3, %B94.endif.i ]
  store i64 %.292.0.ph, ptr %retptr, align 8
  br label %common.ret

B468.if:                                          ; preds = %B1220.i, %B302.i
  %excinfo.3.0.in = phi ptr [ %excinfo.2.i, %B302.i ], [ %excinfo.5.i, %B1220.i ]
  %excinfo.3.0 = load ptr, ptr %excinfo.3.0.in, align 8, !noalias !179
  store ptr %excinfo.3.0, ptr %excinfo, align 8
  br label %common.ret

B468.endif:                                       ; preds = %B834.i, %pred.store.continue56, %B1400.i.1, %vector.body65, %B168.i, %B678.i, %B388.i, %B332.i, %B1316.i
  %.647.0.ph = phi i64 [ %.364.i, %vector.body65 ], [ -3, %B1316.i ], [ %.364.i, %B388.i ], [ -3, %B332.i ], [ %"$phi1316.0.2.07.i", %B1400.i.1 ], [ -3, %B678.i ], [ -3, %B168.i ], [ %"$phi1316.0.2.07.i", %pred.store.continue56 ], [ -3, %B834.i ]
  store i64 %.647.0.ph, ptr %retptr, align 8
  br label %common.ret
}

define internal fastcc void @states.new_row(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.state) unnamed_addr {
entry:
  %.26 = getelementptr i8, ptr %arg.m.4, i64 120
  %.27 = load i64, ptr %.26, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 136
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.68 = getelementptr i8, ptr %arg.m.4, i64 96
  %.69 = load i64, ptr %.68, align 8
  %.71 = getelementptr i8, ptr %arg.m.4, i64 112
  %.72 = load i64, ptr %.71, align 8
  %.78 = inttoptr i64 %.69 to ptr
  %.106 = getelementptr i8, ptr %arg.m.4, i64 192
  %.107 = load i64, ptr %.106, align 8
  %.109 = getelementptr i8, ptr %arg.m.4, i64 208
  %.110 = load i64, ptr %.109, align 8
  %.116 = inttoptr i64 %.107 to ptr
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 176
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !212
  %.82.i = getelementptr i8, ptr %arg.m.4, i64 184
  %.83.i = load i64, ptr %.82.i, align 8, !noalias !212
  %.84.not.not.i = icmp slt i64 %.50.i, %.83.i
  br i1 %.84.not.not.i, label %B188, label %views.lacks.exit

views.lacks.exit:                                 ; preds = %entry
  %.122.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 21, ptr %.122.i, align 8, !noalias !212
  br label %common.ret

common.ret:                                       ; preds = %views.lacks.exit, %B800
  %storemerge781 = phi i64 [ 0, %B800 ], [ -3, %views.lacks.exit ]
  store i64 %storemerge781, ptr %retptr, align 8
  ret void

B188:                                             ; preds = %entry
  %.209 = getelementptr i8, ptr %arg.m.4, i64 168
  %.210 = load i64, ptr %.209, align 8
  %.219 = inttoptr i64 %.210 to ptr
  %.291 = icmp slt i64 %.50.i, 0
  %.292 = select i1 %.291, i64 %.83.i, i64 0
  %.293 = add i64 %.292, %.50.i
  %.312.idx = shl i64 %.293, 10
  %.312 = getelementptr i8, ptr %.219, i64 %.312.idx
  %.349 = getelementptr i8, ptr %arg.m.4, i64 312
  %.350 = load i64, ptr %.349, align 8
  %.352 = getelementptr i8, ptr %arg.m.4, i64 328
  %.353 = load i64, ptr %.352, align 8
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(1024) %.312, i8 -1, i64 1024, i1 false)
  %.359 = inttoptr i64 %.350 to ptr
  %.874 = icmp slt i64 %.353, 1
  br i1 %.874, label %.940.if, label %.640.endif.else.endif.endif.endif, !prof !20

B436.loopexit:                                    ; preds = %vector.body, %B700
  %.1192 = add nuw nsw i64 %.1123.013, 1
  %exitcond17.not = icmp eq i64 %.1099, %.1192
  br i1 %exitcond17.not, label %B742.if.preheader, label %B436.if

B686:                                             ; preds = %B556.if
  %.1648 = load i32, ptr %.1537, align 4
  br label %B700

B700:                                             ; preds = %B556.if, %B686
  %"$phi700.2.2.2" = phi i32 [ %.1648, %B686 ], [ %.1319, %B556.if ]
  store i32 %"$phi700.2.2.2", ptr %.1537, align 4
  %exitcond.not = icmp eq i64 %.1418, 256
  br i1 %exitcond.not, label %B436.loopexit, label %B556.if, !llvm.loop !215

B776:                                             ; preds = %B742.if
  %.1894 = getelementptr i32, ptr %.312, i64 %.1731.015
  %.1895 = load i32, ptr %.1894, align 4
  br label %B790

B790:                                             ; preds = %B742.if, %B776
  %"$phi790.1.2.1" = phi i32 [ %.1895, %B776 ], [ -2, %B742.if ]
  %.1930 = getelementptr i32, ptr %.312, i64 %.1731.015
  store i32 %"$phi790.1.2.1", ptr %.1930, align 4
  %.1800.1 = add nuw nsw i64 %.1731.015, 2
  %0 = getelementptr i8, ptr %.359, i64 %.1800
  %.1858.1 = load i8, ptr %0, align 1
  %.1859.not.1 = icmp eq i8 %.1858.1, 0
  br i1 %.1859.not.1, label %B776.1, label %B790.1

B776.1:                                           ; preds = %B790
  %.1894.1 = getelementptr i32, ptr %.312, i64 %.1800
  %.1895.1 = load i32, ptr %.1894.1, align 4
  br label %B790.1

B790.1:                                           ; preds = %B776.1, %B790
  %"$phi790.1.2.1.1" = phi i32 [ %.1895.1, %B776.1 ], [ -2, %B790 ]
  %.1930.1 = getelementptr i32, ptr %.312, i64 %.1800
  store i32 %"$phi790.1.2.1.1", ptr %.1930.1, align 4
  %exitcond18.not.1 = icmp eq i64 %.1800.1, 256
  br i1 %exitcond18.not.1, label %B800, label %B742.if

B800:                                             ; preds = %B790.1
  %.1976 = load i64, ptr %.49.i, align 8
  store i64 %.1976, ptr %1, align 8
  %.2067 = add nsw i64 %.1976, 1
  store i64 %.2067, ptr %.49.i, align 8
  br label %common.ret

.640.endif.endif:                                 ; preds = %.640.endif.else.endif.endif.endif
  br label %.940.endif.preheader

.940.endif.preheader:                             ; preds = %.640.endif.else.endif.endif.endif, %.640.endif.endif
  %.849.sroa.13.023 = phi i64 [ %.353, %.640.endif.endif ], [ 256, %.640.endif.else.endif.endif.endif ]
  tail call void @llvm.memset.p0.i64(ptr align 1 %.359, i8 0, i64 %.849.sroa.13.023, i1 false)
  br label %.940.if

.640.endif.else.endif.endif.endif:                ; preds = %B188
  %.891 = icmp ult i64 %.353, 257
  br i1 %.891, label %.640.endif.endif, label %.940.endif.preheader, !prof !37

.940.if:                                          ; preds = %B188, %.940.endif.preheader
  %.1014 = icmp slt i64 %arg.state, 0
  %.1015 = select i1 %.1014, i64 %.30, i64 0
  %.1016 = add i64 %.1015, %arg.state
  %.idx = shl i64 %.1016, 6
  %1 = getelementptr i8, ptr %.36, i64 %.idx
  %.1040 = getelementptr i8, ptr %1, i64 16
  %.1041 = load i64, ptr %.1040, align 8
  %.1098 = getelementptr i8, ptr %1, i64 24
  %.1099 = load i64, ptr %.1098, align 8
  %.117912.not = icmp slt i64 %.1099, 1
  br i1 %.117912.not, label %B742.if.preheader, label %B436.if.preheader

B742.if.preheader:                                ; preds = %B436.loopexit, %.940.if
  br label %B742.if

B436.if.preheader:                                ; preds = %.940.if
  %scevgep = getelementptr i8, ptr %.359, i64 256
  %2 = getelementptr i8, ptr %.219, i64 %.312.idx
  %scevgep1 = getelementptr i8, ptr %2, i64 1024
  %scevgep2 = getelementptr i8, ptr %.116, i64 256
  %bound0 = icmp ugt ptr %scevgep1, %.359
  %bound1 = icmp ult ptr %.312, %scevgep
  %found.conflict = and i1 %bound0, %bound1
  br label %B436.if

B436.if:                                          ; preds = %B436.if.preheader, %B436.loopexit
  %.1123.013 = phi i64 [ %.1192, %B436.loopexit ], [ 0, %B436.if.preheader ]
  %.1218 = add nsw i64 %.1123.013, %.1041
  %.1232 = icmp slt i64 %.1218, 0
  %.1233 = select i1 %.1232, i64 %.72, i64 0
  %3 = getelementptr i64, ptr %.78, i64 %.1218
  %.1247 = getelementptr i64, ptr %3, i64 %.1233
  %.1248 = load i64, ptr %.1247, align 8
  %.1249 = ashr i64 %.1248, 32
  %.1268 = icmp slt i64 %.1249, 0
  %.1269 = select i1 %.1268, i64 %.110, i64 0
  %.1270 = add i64 %.1269, %.1249
  %.1287 = shl i64 %.1270, 8
  %.1289 = getelementptr i8, ptr %.116, i64 %.1287
  %4 = trunc i64 %.1123.013 to i32
  %.1319 = sub i32 -16, %4
  %scevgep3 = getelementptr i8, ptr %scevgep2, i64 %.1287
  %bound04 = icmp ugt ptr %scevgep3, %.359
  %bound15 = icmp ult ptr %.1289, %scevgep
  %found.conflict6 = and i1 %bound04, %bound15
  %conflict.rdx = or i1 %found.conflict, %found.conflict6
  %bound07 = icmp ult ptr %.312, %scevgep3
  %bound18 = icmp ult ptr %.1289, %scevgep1
  %found.conflict9 = and i1 %bound07, %bound18
  %conflict.rdx10 = or i1 %conflict.rdx, %found.conflict9
  br i1 %conflict.rdx10, label %B556.if, label %vector.ph

vector.ph:                                        ; preds = %B436.if
  %broadcast.splatinsert = insertelement <4 x i32> poison, i32 %.1319, i64 0
  %broadcast.splat = shufflevector <4 x i32> %broadcast.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
  br label %vector.body

vector.body:                                      ; preds = %vector.body, %vector.ph
  %index = phi i64 [ 0, %vector.ph ], [ %index.next, %vector.body ]
  %5 = getelementptr i8, ptr %.359, i64 %index
  %wide.load = load <4 x i8>, ptr %5, align 1, !alias.scope !216, !noalias !219
  %6 = getelementptr i8, ptr %.1289, i64 %index
  %wide.load11 = load <4 x i8>, ptr %6, align 1, !alias.scope !222
  %7 = getelementptr i32, ptr %.312, i64 %index
  %wide.load12 = load <4 x i32>, ptr %7, align 4, !alias.scope !223, !noalias !222
  %8 = icmp eq <4 x i32> %wide.load12, <i32 -1, i32 -1, i32 -1, i32 -1>
  %9 = and <4 x i8> %wide.load11, <i8 1, i8 1, i8 1, i8 1>
  %10 = select <4 x i1> %8, <4 x i8> zeroinitializer, <4 x i8> %9
  %11 = or <4 x i8> %10, %wide.load
  store <4 x i8> %11, ptr %5, align 1, !alias.scope !216, !noalias !219
  %wide.load13 = load <4 x i8>, ptr %6, align 1, !alias.scope !222
  %12 = icmp eq <4 x i8> %wide.load13, zeroinitializer
  %wide.load14 = load <4 x i32>, ptr %7, align 4, !alias.scope !223, !noalias !222
  %predphi = select <4 x i1> %12, <4 x i32> %wide.load14, <4 x i32> %broadcast.splat
  store <4 x i32> %predphi, ptr %7, align 4, !alias.scope !223, !noalias !222
  %index.next = add nuw i64 %index, 4
  %13 = icmp eq i64 %index.next, 256
  br i1 %13, label %B436.loopexit, label %vector.body, !llvm.loop !224

B556.if:                                          ; preds = %B436.if, %B700
  %.1349.010 = phi i64 [ %.1418, %B700 ], [ 0, %B436.if ]
  %.1418 = add nuw nsw i64 %.1349.010, 1
  %14 = getelementptr i8, ptr %.359, i64 %.1349.010
  %.1476 = load i8, ptr %14, align 1
  %.1506 = getelementptr i8, ptr %.1289, i64 %.1349.010
  %.1507 = load i8, ptr %.1506, align 1
  %.1537 = getelementptr i32, ptr %.312, i64 %.1349.010
  %.1538 = load i32, ptr %.1537, align 4
  %.1540.not = icmp eq i32 %.1538, -1
  %15 = and i8 %.1507, 1
  %.1545 = select i1 %.1540.not, i8 0, i8 %15
  %.1547 = or i8 %.1545, %.1476
  store i8 %.1547, ptr %14, align 1
  %.1610 = load i8, ptr %.1506, align 1
  %.1611.not = icmp eq i8 %.1610, 0
  br i1 %.1611.not, label %B686, label %B700

B742.if:                                          ; preds = %B790.1, %B742.if.preheader
  %.1731.015 = phi i64 [ 0, %B742.if.preheader ], [ %.1800.1, %B790.1 ]
  %.1800 = or i64 %.1731.015, 1
  %16 = getelementptr i8, ptr %.359, i64 %.1731.015
  %.1858 = load i8, ptr %16, align 1
  %.1859.not = icmp eq i8 %.1858, 0
  br i1 %.1859.not, label %B776, label %B790
}

define internal fastcc void @leaves.after_leaf(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.leaf, i64 %arg.byte) unnamed_addr {
entry:
  %.673 = alloca i64, align 8
  %.19 = and i64 %arg.leaf, 4294967295
  %.19.not.i = icmp eq i64 %.19, 0
  br i1 %.19.not.i, label %common.ret, label %leaves.is_split.exit

leaves.is_split.exit:                             ; preds = %entry
  %.33.i = load i64, ptr %arg.m.4, align 8, !noalias !225
  %.35.i = getelementptr i8, ptr %arg.m.4, i64 16
  %.36.i = load i64, ptr %.35.i, align 8, !noalias !225
  %.42.i = inttoptr i64 %.33.i to ptr
  %.74.i = getelementptr i8, ptr %arg.m.4, i64 48
  %.75.i = load i64, ptr %.74.i, align 8, !noalias !225
  %.84.i = inttoptr i64 %.75.i to ptr
  %.164.idx.i = shl nuw nsw i64 %.19, 6
  %.164.i = getelementptr i8, ptr %.84.i, i64 %.164.idx.i
  %.165.i = load i64, ptr %.164.i, align 8, !noalias !225
  %.191.i = icmp slt i64 %.165.i, 0
  %.192.i = select i1 %.191.i, i64 %.36.i, i64 0
  %.193.i = add i64 %.192.i, %.165.i
  %.217.idx.i = shl i64 %.193.i, 6
  %.217.i = getelementptr i8, ptr %.42.i, i64 %.217.idx.i
  %.218.i = load i64, ptr %.217.i, align 8, !noalias !225
  %.219.i.not = icmp eq i64 %.218.i, 11
  br i1 %.219.i.not, label %B50, label %common.ret

common.ret:                                       ; preds = %entry, %leaves.is_split.exit, %B362
  %storemerge = phi i64 [ %.689, %B362 ], [ %.19, %leaves.is_split.exit ], [ 0, %entry ]
  store i64 %storemerge, ptr %retptr, align 8
  ret void

B50:                                              ; preds = %leaves.is_split.exit
  %.81 = getelementptr i8, ptr %arg.m.4, i64 24
  %.82 = load i64, ptr %.81, align 8
  %.84 = getelementptr i8, ptr %arg.m.4, i64 40
  %.85 = load i64, ptr %.84, align 8
  %.91 = inttoptr i64 %.82 to ptr
  %.119 = getelementptr i8, ptr %arg.m.4, i64 192
  %.120 = load i64, ptr %.119, align 8
  %.122 = getelementptr i8, ptr %arg.m.4, i64 208
  %.123 = load i64, ptr %.122, align 8
  %.129 = inttoptr i64 %.120 to ptr
  %.348 = getelementptr i8, ptr %.217.i, i64 8
  %.349 = load i64, ptr %.348, align 8
  %.350 = add nsw i64 %.349, 1
  %.370 = icmp slt i64 %.349, -1
  %.371 = select i1 %.370, i64 %.85, i64 0
  %0 = getelementptr i64, ptr %.91, i64 %.350
  %.385 = getelementptr i64, ptr %0, i64 %.371
  %.386 = load i64, ptr %.385, align 8
  %.410 = icmp slt i64 %.386, 0
  %.411 = select i1 %.410, i64 %.123, i64 0
  %.412 = add i64 %.411, %.386
  %1 = lshr i64 %arg.byte, 55
  %2 = and i64 %1, 256
  %.415 = add i64 %2, %arg.byte
  %.432 = shl i64 %.412, 8
  %3 = getelementptr i8, ptr %.129, i64 %.432
  %.436 = getelementptr i8, ptr %3, i64 %.415
  %.437 = load i8, ptr %.436, align 1
  %.439 = icmp eq i8 %.437, 0
  br i1 %.439, label %B312.preheader, label %B362

B312.preheader:                                   ; preds = %B50
  %invariant.gep = getelementptr i8, ptr %.129, i64 %.415
  br label %B312

B312:                                             ; preds = %B312.preheader, %B312
  %at.2.0 = phi i64 [ %.442, %B312 ], [ %.350, %B312.preheader ]
  %.442 = add nsw i64 %at.2.0, 2
  %.460 = icmp slt i64 %at.2.0, -2
  %.461 = select i1 %.460, i64 %.85, i64 0
  %4 = getelementptr i64, ptr %.91, i64 %.442
  %.475 = getelementptr i64, ptr %4, i64 %.461
  %.476 = load i64, ptr %.475, align 8
  %.500 = icmp slt i64 %.476, 0
  %.501 = select i1 %.500, i64 %.123, i64 0
  %.502 = add i64 %.501, %.476
  %.522 = shl i64 %.502, 8
  %gep = getelementptr i8, ptr %invariant.gep, i64 %.522
  %.527 = load i8, ptr %gep, align 1
  %.529 = icmp eq i8 %.527, 0
  br i1 %.529, label %B312, label %B362

B362:                                             ; preds = %B312, %B50
  %at.3.1 = phi i64 [ %.350, %B50 ], [ %.442, %B312 ]
  %.555 = icmp slt i64 %at.3.1, -1
  %.556 = select i1 %.555, i64 %.85, i64 0
  %5 = getelementptr i64, ptr %.91, i64 %at.3.1
  %6 = getelementptr i8, ptr %5, i64 8
  %.570 = getelementptr i64, ptr %6, i64 %.556
  %.571 = load i64, ptr %.570, align 8
  %.670 = getelementptr i8, ptr %.164.i, i64 8
  %.671 = load i64, ptr %.670, align 8
  store i64 0, ptr %.673, align 8
  call fastcc void @terms.push(ptr %.673, ptr nonnull %arg.m.4, i64 %.571, i64 %.671)
  %.689 = load i64, ptr %.673, align 8
  br label %common.ret
}

define internal fastcc i32 @states.state_of(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.term) unnamed_addr {
entry:
  %.24 = alloca i64, align 8
  %.520 = alloca i64, align 8
  %.563 = alloca i64, align 8
  store i64 0, ptr %.563, align 8
  %.607 = alloca i64, align 8
  store i64 0, ptr %.607, align 8
  %.19 = icmp eq i64 %arg.term, -3
  br i1 %.19, label %B76, label %B26

B26:                                              ; preds = %entry
  store i64 0, ptr %.24, align 8
  %.30 = call fastcc i32 @leaves.open_term(ptr %.24, ptr %arg.m.4, i64 %arg.term)
  %.32.not = icmp eq i32 %.30, 0
  br i1 %.32.not, label %B26.endif, label %B26.if, !prof !4

common.ret:                                       ; preds = %B26.if, %B1024, %B690, %B76
  %common.ret.op = phi i32 [ 0, %B76 ], [ 0, %B690 ], [ 0, %B1024 ], [ 1, %B26.if ]
  ret i32 %common.ret.op

B76:                                              ; preds = %B26.endif, %entry
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B90:                                              ; preds = %B26.endif
  %.68 = getelementptr i8, ptr %arg.m.4, i64 48
  %.69 = load i64, ptr %.68, align 8
  %.71 = getelementptr i8, ptr %arg.m.4, i64 64
  %.72 = load i64, ptr %.71, align 8
  %.78 = inttoptr i64 %.69 to ptr
  %.132 = icmp slt i64 %arg.term, 0
  %.133 = select i1 %.132, i64 %.72, i64 0
  %.134 = add i64 %.133, %arg.term
  %.idx5 = shl i64 %.134, 6
  %0 = getelementptr i8, ptr %.78, i64 %.idx5
  %.158 = getelementptr i8, ptr %0, i64 48
  %.159 = load i64, ptr %.158, align 8
  %.160 = icmp slt i64 %.159, 0
  br i1 %.160, label %B172, label %B1024

B172:                                             ; preds = %B90
  %.215 = getelementptr i8, ptr %0, i64 32
  %.216 = load i64, ptr %.215, align 8
  %.270 = getelementptr i8, ptr %0, i64 16
  %.271 = load i64, ptr %.270, align 8
  %.325 = getelementptr i8, ptr %0, i64 24
  %.326 = load i64, ptr %.325, align 8
  %.337 = icmp eq i64 %.326, 1
  br i1 %.337, label %B274, label %B172.split

B172.split:                                       ; preds = %B172
  %.603464 = and i64 %.216, 1
  store i64 0, ptr %.607, align 8
  call fastcc void @states.state_of_leaves(ptr %.607, ptr nonnull %arg.m.4, i64 12, i64 %.271, i64 %.326, i64 %.603464)
  br label %B668

B274:                                             ; preds = %B172
  %.348 = getelementptr i8, ptr %arg.m.4, i64 96
  %.349 = load i64, ptr %.348, align 8
  %.351 = getelementptr i8, ptr %arg.m.4, i64 112
  %.352 = load i64, ptr %.351, align 8
  %.358 = inttoptr i64 %.349 to ptr
  %.391 = icmp slt i64 %.271, 0
  %.392 = select i1 %.391, i64 %.352, i64 0
  %1 = getelementptr i64, ptr %.358, i64 %.271
  %.406 = getelementptr i64, ptr %1, i64 %.392
  %.407 = load i64, ptr %.406, align 8
  %.408 = and i64 %.407, 4294967295
  %.19.not.i = icmp eq i64 %.408, 0
  br i1 %.19.not.i, label %B274.endif.endif.split, label %leaves.is_split.exit

leaves.is_split.exit:                             ; preds = %B274
  %.33.i = load i64, ptr %arg.m.4, align 8, !noalias !228
  %.35.i = getelementptr i8, ptr %arg.m.4, i64 16
  %.36.i = load i64, ptr %.35.i, align 8, !noalias !228
  %.42.i = inttoptr i64 %.33.i to ptr
  %.164.idx.i = shl nuw nsw i64 %.408, 6
  %.164.i = getelementptr i8, ptr %.78, i64 %.164.idx.i
  %.165.i = load i64, ptr %.164.i, align 8, !noalias !228
  %.191.i = icmp slt i64 %.165.i, 0
  %.192.i = select i1 %.191.i, i64 %.36.i, i64 0
  %.193.i = add i64 %.192.i, %.165.i
  %.217.idx.i = shl i64 %.193.i, 6
  %.217.i = getelementptr i8, ptr %.42.i, i64 %.217.idx.i
  %.218.i = load i64, ptr %.217.i, align 8, !noalias !228
  %.219.i.not = icmp eq i64 %.218.i, 11
  br i1 %.219.i.not, label %B362, label %B274.endif.endif.split

B362:                                             ; preds = %leaves.is_split.exit
  store i64 0, ptr %.520, align 8
  call fastcc void @leaves.unsplit(ptr %.520, ptr nonnull %arg.m.4, i64 %.407)
  %.536 = load i64, ptr %.520, align 8
  %.550 = icmp eq i64 %.536, -3
  br i1 %.550, label %B690, label %B480

B480:                                             ; preds = %B362
  %.560 = and i64 %.216, 1
  store i64 0, ptr %.563, align 8
  call fastcc void @states.state_of_leaves(ptr %.563, ptr nonnull %arg.m.4, i64 36, i64 0, i64 %.536, i64 %.560)
  br label %B668

B668:                                             ; preds = %B274.endif.endif.split, %B172.split, %B480
  %state.2.1.in = phi ptr [ %.563, %B480 ], [ %.607, %B172.split ], [ %.607, %B274.endif.endif.split ]
  %state.2.1 = load i64, ptr %state.2.1.in, align 8
  %.641 = icmp eq i64 %state.2.1, -3
  br i1 %.641, label %B690, label %B704

B690:                                             ; preds = %B362, %B668
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B704:                                             ; preds = %B668
  store i64 %state.2.1, ptr %.158, align 8
  %.719 = getelementptr i8, ptr %arg.m.4, i64 120
  %.720 = load i64, ptr %.719, align 8
  %.722 = getelementptr i8, ptr %arg.m.4, i64 136
  %.723 = load i64, ptr %.722, align 8
  %.729 = inttoptr i64 %.720 to ptr
  %.779 = icmp slt i64 %state.2.1, 0
  %.780 = select i1 %.779, i64 %.723, i64 0
  %.781 = add i64 %.780, %state.2.1
  %.idx = shl i64 %.781, 6
  %2 = getelementptr i8, ptr %.729, i64 %.idx
  %.805 = getelementptr i8, ptr %2, i64 32
  %.806 = load i64, ptr %.805, align 8
  %.810 = and i64 %.216, 52
  %.813 = or i64 %.806, %.810
  store i64 %.813, ptr %.805, align 8
  %.874 = load i64, ptr %.719, align 8
  %.877 = load i64, ptr %.722, align 8
  %.883 = inttoptr i64 %.874 to ptr
  %.934 = select i1 %.779, i64 %.877, i64 0
  %.935 = add i64 %.934, %state.2.1
  %.idx468 = shl i64 %.935, 6
  %3 = getelementptr i8, ptr %.883, i64 %.idx468
  %.959 = getelementptr i8, ptr %3, i64 40
  %.960 = load i64, ptr %.959, align 8
  %.961 = icmp slt i64 %.960, 0
  br i1 %.961, label %B936, label %B1024

B936:                                             ; preds = %B704
  %.1016 = getelementptr i8, ptr %0, i64 56
  %.1017 = load i64, ptr %.1016, align 8
  store i64 %.1017, ptr %.959, align 8
  br label %B1024

B1024:                                            ; preds = %B936, %B704, %B90
  %.1179 = load i64, ptr %.158, align 8
  store i64 %.1179, ptr %retptr, align 8
  br label %common.ret

B26.if:                                           ; preds = %B26
  store ptr null, ptr %excinfo, align 8
  br label %common.ret

B26.endif:                                        ; preds = %B26
  %.40 = load i64, ptr %.24, align 8
  %.52 = icmp eq i64 %.40, -3
  br i1 %.52, label %B76, label %B90

B274.endif.endif.split:                           ; preds = %B274, %leaves.is_split.exit
  %.603466 = and i64 %.216, 1
  store i64 0, ptr %.607, align 8
  call fastcc void @states.state_of_leaves(ptr %.607, ptr nonnull %arg.m.4, i64 12, i64 %.271, i64 1, i64 %.603466)
  br label %B668
}

define internal fastcc i32 @states.join(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.found) unnamed_addr {
entry:
  %.239 = alloca i64, align 8
  %excinfo.1 = alloca ptr, align 8
  store ptr null, ptr %excinfo.1, align 8
  %.445 = alloca i64, align 8
  %.1404 = alloca i64, align 8
  store i64 0, ptr %.1404, align 8
  %.1460 = alloca i64, align 8
  store i64 0, ptr %.1460, align 8
  %.2037 = alloca i64, align 8
  store i64 0, ptr %.2037, align 8
  %.2125 = alloca i64, align 8
  store i64 0, ptr %.2125, align 8
  %.26 = getelementptr i8, ptr %arg.m.4, i64 48
  %.27 = load i64, ptr %.26, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 64
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.68 = getelementptr i8, ptr %arg.m.4, i64 264
  %.69 = load i64, ptr %.68, align 8
  %.78 = inttoptr i64 %.69 to ptr
  %.106 = getelementptr i8, ptr %arg.m.4, i64 96
  %.107 = load i64, ptr %.106, align 8
  %.109 = getelementptr i8, ptr %arg.m.4, i64 112
  %.110 = load i64, ptr %.109, align 8
  %.116 = inttoptr i64 %.107 to ptr
  %.144 = getelementptr i8, ptr %arg.m.4, i64 288
  %.145 = load i64, ptr %.144, align 8
  %.147 = getelementptr i8, ptr %arg.m.4, i64 304
  %.148 = load i64, ptr %.147, align 8
  %.154 = inttoptr i64 %.145 to ptr
  %.195 = icmp eq i64 %arg.found, 1
  br i1 %.195, label %B190, label %B234

B190:                                             ; preds = %entry
  %.235 = load i64, ptr %.78, align 8
  store i64 0, ptr %.239, align 8
  %.245 = call fastcc i32 @states.state_of(ptr %.239, ptr %excinfo.1, ptr nonnull %arg.m.4, i64 %.235)
  %.247.not = icmp eq i32 %.245, 0
  br i1 %.247.not, label %B190.endif, label %B190.if, !prof !4

B234:                                             ; preds = %entry
  %.37117.not = icmp slt i64 %arg.found, 1
  br i1 %.37117.not, label %B684.thread, label %B390.if

common.ret:                                       ; preds = %B392.if, %B190.if, %B190.endif, %B1740, %B1098, %B728, %B456
  %common.ret.op = phi i32 [ 0, %B456 ], [ 0, %B728 ], [ 0, %B1098 ], [ 0, %B1740 ], [ 0, %B190.endif ], [ 1, %B392.if ], [ 1, %B190.if ]
  ret i32 %common.ret.op

B456:                                             ; preds = %B392.endif
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B474:                                             ; preds = %B392.endif
  %.529 = load i64, ptr %12, align 8
  %.556 = icmp slt i64 %.529, 0
  %.557 = select i1 %.556, i64 %.30, i64 0
  %.558 = add i64 %.557, %.529
  %.idx8 = shl i64 %.558, 6
  %0 = getelementptr i8, ptr %.36, i64 %.idx8
  %.582 = getelementptr i8, ptr %0, i64 24
  %.583 = load i64, ptr %.582, align 8
  %.585 = add nsw i64 %.583, %total.6.020
  %.673 = getelementptr i8, ptr %0, i64 32
  %.674 = load i64, ptr %.673, align 8
  %.675 = and i64 %.674, 1
  %.677 = or i64 %.675, %nullable.2.021
  %.680 = and i64 %.674, 4
  %.682 = or i64 %.680, %some.2.022
  %.686 = and i64 %.674, 12
  %.687.not = icmp eq i64 %.686, 0
  %.691 = select i1 %.687.not, i64 0, i64 %quoted.2.023
  %exitcond.not = icmp eq i64 %arg.found, %.384
  br i1 %exitcond.not, label %B684, label %B390.if

B684:                                             ; preds = %B474
  %.83.i.pre = load i64, ptr %.147, align 8, !noalias !231
  %1 = icmp eq i64 %.682, 0
  %2 = icmp eq i64 %.691, 0
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 296
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !231
  %.51.i = add nsw i64 %.50.i, %.585
  %.84.not.i = icmp sgt i64 %.51.i, %.83.i.pre
  br i1 %.84.not.i, label %B728, label %B776.if

B684.thread:                                      ; preds = %B234
  %.49.i51 = getelementptr i8, ptr %arg.m.4, i64 296
  %.50.i52 = load i64, ptr %.49.i51, align 8, !noalias !231
  %.84.not.i54 = icmp sgt i64 %.50.i52, %.148
  br i1 %.84.not.i54, label %B728, label %B938

B728:                                             ; preds = %B684.thread, %B684
  %.122.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 36, ptr %.122.i, align 8, !noalias !231
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B776.loopexit:                                    ; preds = %B898.if.prol.loopexit, %B898.if, %B776.if
  %total.7.1.lcssa = phi i64 [ %total.8.035, %B776.if ], [ %15, %B898.if ], [ %15, %B898.if.prol.loopexit ]
  %exitcond43.not = icmp eq i64 %arg.found, %.856
  br i1 %exitcond43.not, label %B938, label %B776.if

B938:                                             ; preds = %B776.loopexit, %B684.thread
  %nullable.2.0.lcssa5563 = phi i64 [ 0, %B684.thread ], [ %.677, %B776.loopexit ]
  %some.2.0.lcssa5662 = phi i1 [ true, %B684.thread ], [ %1, %B776.loopexit ]
  %quoted.2.0.lcssa5761 = phi i1 [ false, %B684.thread ], [ %2, %B776.loopexit ]
  %total.8.0.lcssa = phi i64 [ 0, %B684.thread ], [ %total.7.1.lcssa, %B776.loopexit ]
  %.43.i = sdiv i64 %total.8.0.lcssa, 9
  %.44.i = srem i64 %total.8.0.lcssa, 9
  %.44.lobit.i = ashr i64 %.44.i, 63
  %.32.0.i = add nsw i64 %.44.lobit.i, %.43.i
  %.65.i = icmp sgt i64 %.32.0.i, 1
  br i1 %.65.i, label %B26.i, label %B72.i.preheader

B26.i:                                            ; preds = %B938, %B26.i
  %gap.3.0.i = phi i64 [ %.69.i, %B26.i ], [ 1, %B938 ]
  %.68.i = mul nsw i64 %gap.3.0.i, 3
  %.69.i = add nsw i64 %.68.i, 1
  %.115.i = icmp slt i64 %.69.i, %.32.0.i
  br i1 %.115.i, label %B26.i, label %B72.i.preheader

B72.i.preheader:                                  ; preds = %B26.i, %B938
  %gap.5.0.i.ph = phi i64 [ 1, %B938 ], [ %.69.i, %B26.i ]
  br label %B72.i

B72.i:                                            ; preds = %B72.i.preheader, %B262.else.if.i
  %gap.5.0.i = phi i64 [ %.538.i, %B262.else.if.i ], [ %gap.5.0.i.ph, %B72.i.preheader ]
  %.169.i = sub i64 %total.8.0.lcssa, %gap.5.0.i
  %.2143.not.i = icmp slt i64 %.169.i, 1
  br i1 %.2143.not.i, label %B262.else.if.i, label %B104.if.i

B140.i:                                           ; preds = %B104.if.i
  %.305.i = sub nsw i64 %.156.04.i, %gap.5.0.i
  %.336.i = getelementptr i64, ptr %.154, i64 %.305.i
  %.337.i = load i64, ptr %.336.i, align 8, !noalias !234
  %.339.i = icmp sgt i64 %.337.i, %.281.i
  br i1 %.339.i, label %B170.i, label %B250.i

B170.i:                                           ; preds = %B140.i, %B220.i
  %j.2.3.i = phi i64 [ %.346.i, %B220.i ], [ %.156.04.i, %B140.i ]
  %.346.i = sub nsw i64 %j.2.3.i, %gap.5.0.i
  %.360.i = icmp slt i64 %.346.i, 0
  %.361.i = select i1 %.360.i, i64 %.148, i64 0
  %3 = getelementptr i64, ptr %.154, i64 %.346.i
  %.375.i = getelementptr i64, ptr %3, i64 %.361.i
  %.376.i = load i64, ptr %.375.i, align 8, !noalias !234
  %.406.i = getelementptr i64, ptr %.154, i64 %j.2.3.i
  store i64 %.376.i, ptr %.406.i, align 8, !noalias !234
  %.421.not.i = icmp slt i64 %.346.i, %gap.5.0.i
  br i1 %.421.not.i, label %B250.i, label %B220.i

B220.i:                                           ; preds = %B170.i
  %.431.i = sub nsw i64 %.346.i, %gap.5.0.i
  %.462.i = getelementptr i64, ptr %.154, i64 %.431.i
  %.463.i = load i64, ptr %.462.i, align 8, !noalias !234
  %.465.i = icmp sgt i64 %.463.i, %.281.i
  br i1 %.465.i, label %B170.i, label %B250.i

B250.i:                                           ; preds = %B220.i, %B170.i, %B104.if.i, %B140.i
  %.494.pre-phi.i = phi i64 [ %.266.i, %B104.if.i ], [ %.266.i, %B140.i ], [ %.361.i, %B170.i ], [ %.361.i, %B220.i ]
  %j.3.2.i = phi i64 [ %.156.04.i, %B104.if.i ], [ %.156.04.i, %B140.i ], [ %.346.i, %B170.i ], [ %.346.i, %B220.i ]
  %4 = getelementptr i64, ptr %.154, i64 %j.3.2.i
  %.508.i = getelementptr i64, ptr %4, i64 %.494.pre-phi.i
  store i64 %.281.i, ptr %.508.i, align 8, !noalias !234
  %.214.i = icmp sgt i64 %.159.05.i, 1
  br i1 %.214.i, label %B104.if.i, label %B262.else.if.i

B284.i:                                           ; preds = %B262.else.if.i
  %.6566.not.i = icmp slt i64 %total.8.0.lcssa, 1
  br i1 %.6566.not.i, label %B1112, label %B318.if.i

B334.i:                                           ; preds = %B318.if.i
  %.750.inv.i = icmp sgt i64 %kept.2.09.i, 0
  %.751.i = select i1 %.750.inv.i, i64 0, i64 %.148
  %5 = getelementptr i64, ptr %.154, i64 %kept.2.09.i
  %6 = getelementptr i8, ptr %5, i64 -8
  %.765.i = getelementptr i64, ptr %6, i64 %.751.i
  %.766.i = load i64, ptr %.765.i, align 8, !noalias !234
  %.767.not.i = icmp eq i64 %.799.pre.i, %.766.i
  br i1 %.767.not.i, label %B408.i, label %B376.i

B376.i:                                           ; preds = %B318.if.i, %B334.i
  %.816.i = icmp slt i64 %kept.2.09.i, 0
  %.817.i = select i1 %.816.i, i64 %.148, i64 0
  %7 = getelementptr i64, ptr %.154, i64 %kept.2.09.i
  %.831.i = getelementptr i64, ptr %7, i64 %.817.i
  store i64 %.799.pre.i, ptr %.831.i, align 8, !noalias !234
  %.834.i = add nsw i64 %kept.2.09.i, 1
  br label %B408.i

B408.i:                                           ; preds = %B376.i, %B334.i
  %kept.3.2.i = phi i64 [ %.834.i, %B376.i ], [ %kept.2.09.i, %B334.i ]
  %exitcond.not.i = icmp eq i64 %total.8.0.lcssa, %.669.i
  br i1 %exitcond.not.i, label %leaves.sorted_once.exit, label %B318.if.i

B104.if.i:                                        ; preds = %B72.i, %B250.i
  %.159.05.i = phi i64 [ %.223.i, %B250.i ], [ %.169.i, %B72.i ]
  %.156.04.i = phi i64 [ %.227.i, %B250.i ], [ %gap.5.0.i, %B72.i ]
  %.223.i = add nsw i64 %.159.05.i, -1
  %.227.i = add i64 %.156.04.i, 1
  %.265.i = icmp slt i64 %.156.04.i, 0
  %.266.i = select i1 %.265.i, i64 %.148, i64 0
  %8 = getelementptr i64, ptr %.154, i64 %.156.04.i
  %.280.i = getelementptr i64, ptr %8, i64 %.266.i
  %.281.i = load i64, ptr %.280.i, align 8, !noalias !234
  %.294.not.i = icmp slt i64 %.156.04.i, %gap.5.0.i
  br i1 %.294.not.i, label %B250.i, label %B140.i

B262.else.if.i:                                   ; preds = %B250.i, %B72.i
  %.538.i = udiv i64 %gap.5.0.i, 3
  %.562.not.i = icmp ult i64 %gap.5.0.i, 3
  br i1 %.562.not.i, label %B284.i, label %B72.i

B318.if.i:                                        ; preds = %B284.i, %B408.i
  %kept.2.09.i = phi i64 [ %kept.3.2.i, %B408.i ], [ 0, %B284.i ]
  %.600.07.i = phi i64 [ %.669.i, %B408.i ], [ 0, %B284.i ]
  %.669.i = add nuw nsw i64 %.600.07.i, 1
  %.698.i = icmp eq i64 %kept.2.09.i, 0
  %.phi.trans.insert.i = getelementptr i64, ptr %.154, i64 %.600.07.i
  %.799.pre.i = load i64, ptr %.phi.trans.insert.i, align 8, !noalias !234
  br i1 %.698.i, label %B376.i, label %B334.i

leaves.sorted_once.exit:                          ; preds = %B408.i
  %.1294 = icmp eq i64 %kept.3.2.i, 1
  br i1 %.1294, label %B982, label %B1112

B982:                                             ; preds = %leaves.sorted_once.exit
  %.1331 = load i64, ptr %.154, align 8
  %.1332 = and i64 %.1331, 4294967295
  %.19.not.i = icmp eq i64 %.1332, 0
  br i1 %.19.not.i, label %B1112, label %leaves.is_split.exit

leaves.is_split.exit:                             ; preds = %B982
  %.33.i = load i64, ptr %arg.m.4, align 8, !noalias !237
  %.35.i = getelementptr i8, ptr %arg.m.4, i64 16
  %.36.i = load i64, ptr %.35.i, align 8, !noalias !237
  %.42.i = inttoptr i64 %.33.i to ptr
  %.75.i = load i64, ptr %.26, align 8, !noalias !237
  %.84.i = inttoptr i64 %.75.i to ptr
  %.164.idx.i = shl nuw nsw i64 %.1332, 6
  %.164.i = getelementptr i8, ptr %.84.i, i64 %.164.idx.i
  %.165.i = load i64, ptr %.164.i, align 8, !noalias !237
  %.191.i = icmp slt i64 %.165.i, 0
  %.192.i = select i1 %.191.i, i64 %.36.i, i64 0
  %.193.i = add i64 %.192.i, %.165.i
  %.217.idx.i = shl i64 %.193.i, 6
  %.217.i = getelementptr i8, ptr %.42.i, i64 %.217.idx.i
  %.218.i = load i64, ptr %.217.i, align 8, !noalias !237
  %.219.i.not = icmp eq i64 %.218.i, 11
  br i1 %.219.i.not, label %B1032, label %B1112

B1032:                                            ; preds = %leaves.is_split.exit
  store i64 0, ptr %.1404, align 8
  call fastcc void @leaves.unsplit(ptr %.1404, ptr nonnull %arg.m.4, i64 %.1331)
  %.1420 = load i64, ptr %.1404, align 8
  %.1432 = icmp eq i64 %.1420, -3
  br i1 %.1432, label %B1098, label %B1112

B1098:                                            ; preds = %B1032
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B1112:                                            ; preds = %B982, %B284.i, %B1032, %leaves.is_split.exit, %leaves.sorted_once.exit
  %total.9.0 = phi i64 [ %.1420, %B1032 ], [ 1, %leaves.is_split.exit ], [ %kept.3.2.i, %leaves.sorted_once.exit ], [ 0, %B284.i ], [ 1, %B982 ]
  store i64 0, ptr %.1460, align 8
  call fastcc void @states.state_of_leaves(ptr %.1460, ptr %arg.m.4, i64 36, i64 0, i64 %total.9.0, i64 %nullable.2.0.lcssa5563)
  %.1476 = load i64, ptr %.1460, align 8
  %.1494.not = icmp eq i64 %.1476, -3
  %or.cond = select i1 %.1494.not, i1 true, i1 %some.2.0.lcssa5662
  %or.cond1029 = select i1 %or.cond, i1 true, i1 %quoted.2.0.lcssa5761
  br i1 %or.cond1029, label %B1336, label %B1336.thread

B1336.thread:                                     ; preds = %B1112
  %.1514 = getelementptr i8, ptr %arg.m.4, i64 120
  %.1515 = load i64, ptr %.1514, align 8
  %.1517 = getelementptr i8, ptr %arg.m.4, i64 136
  %.1518 = load i64, ptr %.1517, align 8
  %.1524 = inttoptr i64 %.1515 to ptr
  %.1574 = icmp slt i64 %.1476, 0
  %.1575 = select i1 %.1574, i64 %.1518, i64 0
  %.1576 = add i64 %.1575, %.1476
  %.idx = shl i64 %.1576, 6
  %9 = getelementptr i8, ptr %.1524, i64 %.idx
  %.1600 = getelementptr i8, ptr %9, i64 32
  %.1601 = load i64, ptr %.1600, align 8
  %.1602 = or i64 %.1601, 4
  store i64 %.1602, ptr %.1600, align 8
  br label %B1358

B1336:                                            ; preds = %B1112
  br i1 %.1494.not, label %B1740, label %B1358

B1358:                                            ; preds = %B1336.thread, %B1336
  %.1670 = getelementptr i8, ptr %arg.m.4, i64 120
  %.1671 = load i64, ptr %.1670, align 8
  %.1673 = getelementptr i8, ptr %arg.m.4, i64 136
  %.1674 = load i64, ptr %.1673, align 8
  %.1680 = inttoptr i64 %.1671 to ptr
  %.1730 = icmp slt i64 %.1476, 0
  %.1731 = select i1 %.1730, i64 %.1674, i64 0
  %.1732 = add i64 %.1731, %.1476
  %.idx1024 = shl i64 %.1732, 6
  %10 = getelementptr i8, ptr %.1680, i64 %.idx1024
  %.1756 = getelementptr i8, ptr %10, i64 40
  %.1757 = load i64, ptr %.1756, align 8
  %.1758 = icmp slt i64 %.1757, 0
  %.184537 = icmp sgt i64 %arg.found, 0
  %or.cond41 = and i1 %.1758, %.184537
  br i1 %or.cond41, label %B1494.if, label %B1740

B1552:                                            ; preds = %B1494.if
  %.2034.idx = shl i64 %.1970, 6
  %.2034 = getelementptr i8, ptr %.36, i64 %.2034.idx
  %.2035 = load i64, ptr %.2034, align 8
  store i64 0, ptr %.2037, align 8
  call fastcc void @leaves.width_of(ptr %.2037, ptr %arg.m.4, i64 %.2035)
  %.2053 = load i64, ptr %.2037, align 8
  %.2064 = icmp sgt i64 %.2053, %widest.2.140
  br i1 %.2064, label %B1618, label %B1738

B1618:                                            ; preds = %B1552
  store i64 0, ptr %.2125, align 8
  call fastcc void @leaves.width_of(ptr %.2125, ptr %arg.m.4, i64 %.2035)
  %.2141 = load i64, ptr %.2125, align 8
  %.2162 = load i64, ptr %.1670, align 8
  %.2165 = load i64, ptr %.1673, align 8
  %.2171 = inttoptr i64 %.2162 to ptr
  %.2223 = select i1 %.1730, i64 %.2165, i64 0
  %.2224 = add i64 %.2223, %.1476
  %.idx1027 = shl i64 %.2224, 6
  %11 = getelementptr i8, ptr %.2171, i64 %.idx1027
  %.2248 = getelementptr i8, ptr %11, i64 40
  store i64 %.1970, ptr %.2248, align 8
  br label %B1738

B1738:                                            ; preds = %B1618, %B1552, %B1494.if
  %widest.3.1 = phi i64 [ %.2141, %B1618 ], [ %widest.2.140, %B1552 ], [ %widest.2.140, %B1494.if ]
  %exitcond44.not = icmp eq i64 %arg.found, %.1858
  br i1 %exitcond44.not, label %B1740, label %B1494.if

B1740:                                            ; preds = %B1738, %B1358, %B1336
  store i64 %.1476, ptr %retptr, align 8
  br label %common.ret

B190.if:                                          ; preds = %B190
  %.246 = load ptr, ptr %excinfo.1, align 8
  store ptr %.246, ptr %excinfo, align 8
  br label %common.ret

B190.endif:                                       ; preds = %B190
  %.255 = load i64, ptr %.239, align 8
  store i64 %.255, ptr %retptr, align 8
  br label %common.ret

B390.if:                                          ; preds = %B234, %B474
  %quoted.2.023 = phi i64 [ %.691, %B474 ], [ 1, %B234 ]
  %some.2.022 = phi i64 [ %.682, %B474 ], [ 0, %B234 ]
  %nullable.2.021 = phi i64 [ %.677, %B474 ], [ 0, %B234 ]
  %total.6.020 = phi i64 [ %.585, %B474 ], [ 0, %B234 ]
  %.315.019 = phi i64 [ %.384, %B474 ], [ 0, %B234 ]
  %.384 = add nuw nsw i64 %.315.019, 1
  %12 = getelementptr i64, ptr %.78, i64 %.315.019
  %.443 = load i64, ptr %12, align 8
  store i64 0, ptr %.445, align 8
  %.451 = call fastcc i32 @leaves.open_term(ptr %.445, ptr %arg.m.4, i64 %.443)
  %.453.not = icmp eq i32 %.451, 0
  br i1 %.453.not, label %B392.endif, label %B392.if, !prof !4

B392.if:                                          ; preds = %B390.if
  store ptr null, ptr %excinfo, align 8
  br label %common.ret

B392.endif:                                       ; preds = %B390.if
  %.461 = load i64, ptr %.445, align 8
  %.471 = icmp eq i64 %.461, -3
  br i1 %.471, label %B456, label %B474

B776.if:                                          ; preds = %B684, %B776.loopexit
  %total.8.035 = phi i64 [ %total.7.1.lcssa, %B776.loopexit ], [ 0, %B684 ]
  %.787.034 = phi i64 [ %.856, %B776.loopexit ], [ 0, %B684 ]
  %.856 = add nuw nsw i64 %.787.034, 1
  %13 = getelementptr i64, ptr %.78, i64 %.787.034
  %.916 = load i64, ptr %13, align 8
  %.943 = icmp slt i64 %.916, 0
  %.944 = select i1 %.943, i64 %.30, i64 0
  %.945 = add i64 %.944, %.916
  %.idx7 = shl i64 %.945, 6
  %14 = getelementptr i8, ptr %.36, i64 %.idx7
  %.1053 = getelementptr i8, ptr %14, i64 24
  %.1054 = load i64, ptr %.1053, align 8
  %.113527.not = icmp slt i64 %.1054, 1
  br i1 %.113527.not, label %B776.loopexit, label %B898.if.preheader

B898.if.preheader:                                ; preds = %B776.if
  %.969 = getelementptr i8, ptr %14, i64 16
  %.970 = load i64, ptr %.969, align 8
  %15 = add i64 %total.8.035, %.1054
  %xtraiter = and i64 %.1054, 1
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B898.if.prol.loopexit, label %B898.if.prol

B898.if.prol:                                     ; preds = %B898.if.preheader
  %.1148.prol = add i64 %.970, 1
  %.1186.prol = icmp slt i64 %.970, 0
  %.1187.prol = select i1 %.1186.prol, i64 %.110, i64 0
  %16 = getelementptr i64, ptr %.116, i64 %.970
  %.1201.prol = getelementptr i64, ptr %16, i64 %.1187.prol
  %.1202.prol = load i64, ptr %.1201.prol, align 8
  %.1217.prol = icmp slt i64 %total.8.035, 0
  %.1218.prol = select i1 %.1217.prol, i64 %.148, i64 0
  %17 = getelementptr i64, ptr %.154, i64 %total.8.035
  %.1232.prol = getelementptr i64, ptr %17, i64 %.1218.prol
  store i64 %.1202.prol, ptr %.1232.prol, align 8
  %.1235.prol = add i64 %total.8.035, 1
  br label %B898.if.prol.loopexit

B898.if.prol.loopexit:                            ; preds = %B898.if.prol, %B898.if.preheader
  %total.7.130.unr = phi i64 [ %total.8.035, %B898.if.preheader ], [ %.1235.prol, %B898.if.prol ]
  %.1079.029.unr = phi i64 [ %.970, %B898.if.preheader ], [ %.1148.prol, %B898.if.prol ]
  %18 = icmp eq i64 %.1054, 1
  br i1 %18, label %B776.loopexit, label %B898.if

B898.if:                                          ; preds = %B898.if.prol.loopexit, %B898.if
  %total.7.130 = phi i64 [ %.1235.1, %B898.if ], [ %total.7.130.unr, %B898.if.prol.loopexit ]
  %.1079.029 = phi i64 [ %.1148.1, %B898.if ], [ %.1079.029.unr, %B898.if.prol.loopexit ]
  %.1148 = add i64 %.1079.029, 1
  %.1186 = icmp slt i64 %.1079.029, 0
  %.1187 = select i1 %.1186, i64 %.110, i64 0
  %19 = getelementptr i64, ptr %.116, i64 %.1079.029
  %.1201 = getelementptr i64, ptr %19, i64 %.1187
  %.1202 = load i64, ptr %.1201, align 8
  %.1217 = icmp slt i64 %total.7.130, 0
  %.1218 = select i1 %.1217, i64 %.148, i64 0
  %20 = getelementptr i64, ptr %.154, i64 %total.7.130
  %.1232 = getelementptr i64, ptr %20, i64 %.1218
  store i64 %.1202, ptr %.1232, align 8
  %.1235 = add i64 %total.7.130, 1
  %.1148.1 = add i64 %.1079.029, 2
  %.1186.1 = icmp slt i64 %.1148, 0
  %.1187.1 = select i1 %.1186.1, i64 %.110, i64 0
  %21 = getelementptr i64, ptr %.116, i64 %.1148
  %.1201.1 = getelementptr i64, ptr %21, i64 %.1187.1
  %.1202.1 = load i64, ptr %.1201.1, align 8
  %.1217.1 = icmp slt i64 %.1235, 0
  %.1218.1 = select i1 %.1217.1, i64 %.148, i64 0
  %22 = getelementptr i64, ptr %.154, i64 %.1235
  %.1232.1 = getelementptr i64, ptr %22, i64 %.1218.1
  store i64 %.1202.1, ptr %.1232.1, align 8
  %.1235.1 = add i64 %total.7.130, 2
  %exitcond42.not.1 = icmp eq i64 %.1235.1, %15
  br i1 %exitcond42.not.1, label %B776.loopexit, label %B898.if

B1494.if:                                         ; preds = %B1358, %B1738
  %widest.2.140 = phi i64 [ %widest.3.1, %B1738 ], [ 0, %B1358 ]
  %.1789.038 = phi i64 [ %.1858, %B1738 ], [ 0, %B1358 ]
  %.1858 = add nuw nsw i64 %.1789.038, 1
  %23 = getelementptr i64, ptr %.78, i64 %.1789.038
  %.1916 = load i64, ptr %23, align 8
  %.1943 = icmp slt i64 %.1916, 0
  %.1944 = select i1 %.1943, i64 %.30, i64 0
  %.1945 = add i64 %.1944, %.1916
  %.idx1026 = shl i64 %.1945, 6
  %24 = getelementptr i8, ptr %.36, i64 %.idx1026
  %.1969 = getelementptr i8, ptr %24, i64 56
  %.1970 = load i64, ptr %.1969, align 8
  %.1975 = icmp sgt i64 %.1970, -1
  br i1 %.1975, label %B1552, label %B1738
}

define internal fastcc noundef i32 @leaves.open_term(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.term) unnamed_addr {
entry:
  %.570.i = alloca i64, align 8
  %.193.i.i = alloca i64, align 8
  %.316.i.i1069 = alloca i64, align 8
  %.27.i = alloca i64, align 8
  %.392.i = alloca [2 x i64], align 8
  %.76.i = alloca i64, align 8
  %.214.i = alloca [2 x i64], align 8
  %.570.i.i = alloca i64, align 8
  %.520.i = alloca [2 x i64], align 8
  %.194.i = alloca i64, align 8
  %.313.i = alloca i64, align 8
  %.352.i1040 = alloca i64, align 8
  %.413.i = alloca i64, align 8
  %.1142 = alloca i64, align 8
  store i64 0, ptr %.1142, align 8
  %.26 = getelementptr i8, ptr %arg.m.4, i64 48
  %.27 = load i64, ptr %.26, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 64
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.86 = icmp slt i64 %arg.term, 0
  %.87 = select i1 %.86, i64 %.30, i64 0
  %.88 = add i64 %.87, %arg.term
  %.idx = shl i64 %.88, 6
  %0 = getelementptr i8, ptr %.36, i64 %.idx
  %.112 = getelementptr i8, ptr %0, i64 16
  %.113 = load i64, ptr %.112, align 8
  %.114 = icmp sgt i64 %.113, -1
  br i1 %.114, label %common.ret, label %B110

common.ret:                                       ; preds = %B1394, %leaves.past.exit, %leaves.wider.exit, %B238.i1124, %leaves.past.exit.thread38, %entry, %B1746, %B1568, %B740
  %.sink = phi i64 [ 0, %B1746 ], [ -3, %B1568 ], [ -3, %B238.i1124 ], [ 0, %entry ], [ -3, %B740 ], [ -3, %leaves.past.exit.thread38 ], [ -3, %leaves.wider.exit ], [ -3, %leaves.past.exit ], [ -3, %B1394 ]
  store i64 %.sink, ptr %retptr, align 8
  ret i32 0

B110:                                             ; preds = %entry
  %.131 = load i64, ptr %arg.m.4, align 8
  %.133 = getelementptr i8, ptr %arg.m.4, i64 16
  %.134 = load i64, ptr %.133, align 8
  %.140 = inttoptr i64 %.131 to ptr
  %.220 = getelementptr i8, ptr %arg.m.4, i64 240
  %.221 = load i64, ptr %.220, align 8
  %.230 = inttoptr i64 %.221 to ptr
  %.258 = getelementptr i8, ptr %arg.m.4, i64 288
  %.259 = load i64, ptr %.258, align 8
  %.261 = getelementptr i8, ptr %arg.m.4, i64 304
  %.262 = load i64, ptr %.261, align 8
  %.268 = inttoptr i64 %.259 to ptr
  %.322 = getelementptr i8, ptr %arg.m.4, i64 832
  %.323 = load i64, ptr %.322, align 8
  %.324 = add nsw i64 %.323, 1
  store i64 %.324, ptr %.322, align 8
  %.74.i = getelementptr i8, ptr %arg.m.4, i64 256
  %.75.i = load i64, ptr %.74.i, align 8, !noalias !240
  %.108.i = icmp eq i64 %arg.term, -3
  br i1 %.108.i, label %B1492, label %B124.i

B124.i:                                           ; preds = %B110
  %.175.i = getelementptr i8, ptr %0, i64 40
  %.176.i = load i64, ptr %.175.i, align 8, !noalias !240
  %.207.i = icmp eq i64 %.176.i, %.324
  br i1 %.207.i, label %B1492, label %B188.i

B188.i:                                           ; preds = %B124.i
  %.49.i.i = getelementptr i8, ptr %arg.m.4, i64 248
  %.50.i.i = load i64, ptr %.49.i.i, align 8, !noalias !243
  %.84.not.i.i.not = icmp slt i64 %.50.i.i, %.75.i
  br i1 %.84.not.i.i.not, label %B530.preheader.lr.ph, label %B238.i

B238.i:                                           ; preds = %B188.i
  %.122.i.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 30, ptr %.122.i.i, align 8, !noalias !243
  br label %B1492

B530.preheader.lr.ph:                             ; preds = %B188.i
  store i64 %.324, ptr %.175.i, align 8, !noalias !240
  store i64 %arg.term, ptr %.230, align 8, !noalias !240
  %.312.i = getelementptr i8, ptr %arg.m.4, i64 928
  %.347.i = getelementptr i8, ptr %arg.m.4, i64 936
  %.49.i.i.i.i = getelementptr i8, ptr %arg.m.4, i64 8
  %.122.i.i.i.i = getelementptr i8, ptr %arg.m.4, i64 816
  %.fca.1.gep.i1062 = getelementptr inbounds i8, ptr %.214.i, i64 8
  %.fca.1.gep.i = getelementptr inbounds i8, ptr %.520.i, i64 8
  %.79.i = getelementptr i8, ptr %arg.m.4, i64 24
  %.82.i = getelementptr i8, ptr %arg.m.4, i64 40
  %.fca.1.gep.i1070 = getelementptr inbounds i8, ptr %.392.i, i64 8
  %.49.i.i1117 = getelementptr i8, ptr %arg.m.4, i64 248
  br label %B530.preheader

B516.loopexit:                                    ; preds = %B530
  %.445 = icmp ugt i64 %size.7.1, 1
  br i1 %.445, label %B530.preheader, label %B1492

B530.preheader:                                   ; preds = %B530.preheader.lr.ph, %B516.loopexit
  %size.6.0184 = phi i64 [ 1, %B530.preheader.lr.ph ], [ %.459, %B516.loopexit ]
  %quoted.3.0183 = phi i64 [ 0, %B530.preheader.lr.ph ], [ %quoted.2.1, %B516.loopexit ]
  %repeated.3.0182 = phi i64 [ -1, %B530.preheader.lr.ph ], [ %repeated.2.1, %B516.loopexit ]
  %count.7.0181 = phi i64 [ 0, %B530.preheader.lr.ph ], [ %count.6.1, %B516.loopexit ]
  %nullable.2.0180 = phi i64 [ 0, %B530.preheader.lr.ph ], [ 1, %B516.loopexit ]
  %.814179 = phi i1 [ true, %B530.preheader.lr.ph ], [ false, %B516.loopexit ]
  br label %B530

B530:                                             ; preds = %B530.preheader, %B1478
  %count.6.1 = phi i64 [ %count.8.228, %B1478 ], [ %count.7.0181, %B530.preheader ]
  %repeated.2.1 = phi i64 [ %repeated.4.2, %B1478 ], [ %repeated.3.0182, %B530.preheader ]
  %quoted.2.1 = phi i64 [ %quoted.4.2, %B1478 ], [ %quoted.3.0183, %B530.preheader ]
  %size.7.1 = phi i64 [ %size.8.2, %B1478 ], [ %size.6.0184, %B530.preheader ]
  %.459 = add nsw i64 %size.7.1, -1
  %.494 = getelementptr i64, ptr %.230, i64 %.459
  %.495 = load i64, ptr %.494, align 8
  %.522 = icmp slt i64 %.495, 0
  %.523 = select i1 %.522, i64 %.30, i64 0
  %.524 = add i64 %.523, %.495
  %.548.idx = shl i64 %.524, 6
  %.548 = getelementptr i8, ptr %.36, i64 %.548.idx
  %.549 = load i64, ptr %.548, align 8
  %.642 = icmp eq i64 %.549, 0
  br i1 %.642, label %B516.loopexit, label %B678

B678:                                             ; preds = %B530
  %.633 = getelementptr i8, ptr %.548, i64 8
  %.634 = load i64, ptr %.633, align 8
  %.38.i = load i64, ptr %arg.m.4, align 8, !noalias !246
  %.41.i = load i64, ptr %.133, align 8, !noalias !246
  %.47.i = inttoptr i64 %.38.i to ptr
  %.75.not.i = icmp eq i64 %.634, -3
  br i1 %.75.not.i, label %B740, label %B68.i

B68.i:                                            ; preds = %B678
  %.116.i = icmp slt i64 %.549, 0
  %.117.i = select i1 %.116.i, i64 %.41.i, i64 0
  %.118.i = add i64 %.117.i, %.549
  %.142.idx.i = shl i64 %.118.i, 6
  %.142.i = getelementptr i8, ptr %.47.i, i64 %.142.idx.i
  %.143.i = load i64, ptr %.142.i, align 8, !noalias !246
  switch i64 %.143.i, label %B842.endif.endif [
    i64 2, label %B202.i.preheader
    i64 7, label %B164.i
  ]

B164.i:                                           ; preds = %B68.i
  %.282.i = getelementptr i8, ptr %.142.i, i64 16
  %.283.i = load i64, ptr %.282.i, align 8, !noalias !246
  %.284.i = icmp eq i64 %.283.i, 0
  br i1 %.284.i, label %B202.i.preheader, label %B842.endif.endif

B202.i.preheader:                                 ; preds = %B164.i, %B68.i
  br label %B202.i

B202.i:                                           ; preds = %B202.i.backedge, %B202.i.preheader
  %node.2.1.i = phi i64 [ %.549, %B202.i.preheader ], [ %.5076.i, %B202.i.backedge ]
  %rest.2.1.i = phi i64 [ %.634, %B202.i.preheader ], [ %rest.3.25.i, %B202.i.backedge ]
  %.325.i = icmp slt i64 %node.2.1.i, 0
  %.326.i = select i1 %.325.i, i64 %.41.i, i64 0
  %.327.i = add i64 %.326.i, %node.2.1.i
  %.351.idx.i = shl i64 %.327.i, 6
  %.351.i = getelementptr i8, ptr %.47.i, i64 %.351.idx.i
  %.352.i = load i64, ptr %.351.i, align 8, !noalias !246
  %.353.i = icmp eq i64 %.352.i, 2
  br i1 %.353.i, label %B310.i, label %B362.i

B310.i:                                           ; preds = %B202.i
  %.409.i = getelementptr i8, ptr %.351.i, i64 16
  %.410.i = load i64, ptr %.409.i, align 8, !noalias !246
  store i64 0, ptr %.413.i, align 8, !noalias !246
  call fastcc void @terms.push(ptr %.413.i, ptr nonnull %arg.m.4, i64 %.410.i, i64 %rest.2.1.i)
  %.429.i = load i64, ptr %.413.i, align 8, !noalias !246
  %.515.not.i = icmp eq i64 %.429.i, -3
  br i1 %.515.not.i, label %B740, label %B362.i

B362.i:                                           ; preds = %B202.i, %B310.i
  %rest.3.25.i = phi i64 [ %.429.i, %B310.i ], [ %rest.2.1.i, %B202.i ]
  %.5076.i.in = getelementptr i8, ptr %.351.i, i64 8
  %.5076.i = load i64, ptr %.5076.i.in, align 8, !noalias !246
  %.548.i = icmp slt i64 %.5076.i, 0
  %.549.i = select i1 %.548.i, i64 %.41.i, i64 0
  %.550.i = add i64 %.549.i, %.5076.i
  %.574.idx.i = shl i64 %.550.i, 6
  %.574.i = getelementptr i8, ptr %.47.i, i64 %.574.idx.i
  %.575.i = load i64, ptr %.574.i, align 8, !noalias !246
  switch i64 %.575.i, label %B842.endif.endif [
    i64 2, label %B202.i.backedge
    i64 7, label %B458.i
  ]

B458.i:                                           ; preds = %B362.i
  %.700.i = getelementptr i8, ptr %.574.i, i64 16
  %.701.i = load i64, ptr %.700.i, align 8, !noalias !246
  %.702.i = icmp eq i64 %.701.i, 0
  br i1 %.702.i, label %B202.i.backedge, label %B842.endif.endif

B202.i.backedge:                                  ; preds = %B458.i, %B362.i
  br label %B202.i

B740:                                             ; preds = %B678, %B310.i
  br label %common.ret

B878:                                             ; preds = %B842.endif.endif
  %.127.i = icmp slt i64 %repeated.2.1, 0
  br i1 %.127.i, label %B186.i, label %B186.i.thread

B186.i.thread:                                    ; preds = %B878
  %.87.i = load i64, ptr %.26, align 8, !noalias !249
  %.96.i = inttoptr i64 %.87.i to ptr
  %.189.idx.i = shl i64 %repeated.2.1, 6
  %.189.i = getelementptr i8, ptr %.96.i, i64 %.189.idx.i
  %.190.i = load i64, ptr %.189.i, align 8, !noalias !249
  store i64 0, ptr %.194.i, align 8, !noalias !249
  call fastcc void @leaves.width_of(ptr %.194.i, ptr nonnull %arg.m.4, i64 %.190.i)
  %.210.i = load i64, ptr %.194.i, align 8, !noalias !249
  br label %B256.i

B186.i:                                           ; preds = %B878
  %.45.i = load i64, ptr %arg.m.4, align 8, !noalias !249
  %.54.i = inttoptr i64 %.45.i to ptr
  %.48.i = load i64, ptr %.133, align 8, !noalias !249
  %.259.i = select i1 %.771, i64 %.48.i, i64 0
  %.260.i = add i64 %.259.i, %arg.node.fr.i
  %.284.idx.i = shl i64 %.260.i, 6
  %.284.i1043 = getelementptr i8, ptr %.54.i, i64 %.284.idx.i
  %.285.i = load i64, ptr %.284.i1043, align 8, !noalias !249
  %.288.i = icmp eq i64 %.285.i, 6
  %or.cond.i1044 = select i1 %.288.i, i1 %spec.select, i1 false
  br i1 %or.cond.i1044, label %B296.i, label %B256.i

B256.i:                                           ; preds = %B186.i.thread, %B186.i
  %"$phi186.0.2.0.i21" = phi i64 [ %.210.i, %B186.i.thread ], [ 0, %B186.i ]
  store i64 0, ptr %.313.i, align 8, !noalias !249
  call fastcc void @leaves.width_of(ptr %.313.i, ptr nonnull %arg.m.4, i64 %arg.node.fr.i)
  %.329.i = load i64, ptr %.313.i, align 8, !noalias !249
  %.340.i = icmp sgt i64 %.329.i, %"$phi186.0.2.0.i21"
  br i1 %.340.i, label %B296.i, label %leaves.wider.exit

B296.i:                                           ; preds = %B256.i, %B186.i
  store i64 0, ptr %.352.i1040, align 8, !noalias !249
  call fastcc void @terms.push(ptr %.352.i1040, ptr nonnull %arg.m.4, i64 %arg.node.fr.i, i64 %arg.rest.fr.i)
  %.368.i = load i64, ptr %.352.i1040, align 8, !noalias !249
  br label %leaves.wider.exit

leaves.wider.exit:                                ; preds = %B256.i, %B296.i
  %"$phi332.0.2.0.i" = phi i64 [ %.368.i, %B296.i ], [ %repeated.2.1, %B256.i ]
  %.914 = icmp eq i64 %"$phi332.0.2.0.i", -3
  br i1 %.914, label %common.ret, label %B978

B978:                                             ; preds = %leaves.wider.exit, %B842.endif.endif
  %repeated.4.2 = phi i64 [ %"$phi332.0.2.0.i", %leaves.wider.exit ], [ %repeated.2.1, %B842.endif.endif ]
  br i1 %spec.select, label %B982, label %B1016

B982:                                             ; preds = %B978
  %.30.i1045 = load i64, ptr %arg.m.4, align 8, !noalias !252
  %.33.i1047 = load i64, ptr %.133, align 8, !noalias !252
  %.39.i1048 = inttoptr i64 %.30.i1045 to ptr
  %.94.i = select i1 %.771, i64 %.33.i1047, i64 0
  %.95.i = add i64 %.94.i, %arg.node.fr.i
  %.119.idx.i = shl i64 %.95.i, 6
  %.119.i = getelementptr i8, ptr %.39.i1048, i64 %.119.idx.i
  %.120.i = load i64, ptr %.119.i, align 8, !noalias !252
  %.174.i = getelementptr i8, ptr %.119.i, i64 8
  %.175.i1049 = load i64, ptr %.174.i, align 8, !noalias !252
  switch i64 %.120.i, label %B428.i [
    i64 8, label %B1016
    i64 9, label %B190.i
    i64 4, label %B252.i1050
  ]

B190.i:                                           ; preds = %B982
  br label %B1016

B252.i1050:                                       ; preds = %B982
  %.276.i = getelementptr i8, ptr %.119.i, i64 24
  %.277.i = load i64, ptr %.276.i, align 8, !noalias !252
  %.280.i = icmp eq i64 %.277.i, -1
  br i1 %.280.i, label %B300.i, label %B428.i

B300.i:                                           ; preds = %B252.i1050
  %.313.i1051 = load i64, ptr %.312.i, align 8, !noalias !252
  %.315.i = icmp eq i64 %.175.i1049, %.313.i1051
  %.318.i = select i1 %.315.i, i64 16, i64 0
  %.348.i = load i64, ptr %.347.i, align 8, !noalias !252
  %.352.i1052 = icmp eq i64 %.175.i1049, %.348.i
  %.357.i = select i1 %.352.i1052, i64 32, i64 0
  %.358.i = or i64 %.357.i, %.318.i
  br label %B1016

B428.i:                                           ; preds = %B252.i1050, %B982
  br label %B1016

B1016:                                            ; preds = %B428.i, %B300.i, %B190.i, %B982, %B978
  %quoted.4.2 = phi i64 [ %quoted.2.1, %B978 ], [ %quoted.2.1, %B428.i ], [ %.358.i, %B300.i ], [ 8, %B190.i ], [ 4, %B982 ]
  switch i64 %.798, label %B1222 [
    i64 3, label %B1038
    i64 4, label %B1106
    i64 7, label %B1266.thread
    i64 1, label %B1266.thread
  ]

B1038:                                            ; preds = %B1016
  %.38.i1053 = load i64, ptr %arg.m.4, align 8, !noalias !255
  %.41.i1055 = load i64, ptr %.133, align 8, !noalias !255
  %.47.i1056 = inttoptr i64 %.38.i1053 to ptr
  %.80.i = load i64, ptr %.79.i, align 8, !noalias !255
  %.83.i = load i64, ptr %.82.i, align 8, !noalias !255
  %.89.i = inttoptr i64 %.80.i to ptr
  %.139.i = select i1 %.771, i64 %.41.i1055, i64 0
  %.140.i = add i64 %.139.i, %arg.node.fr.i
  %.idx.i1057 = shl i64 %.140.i, 6
  %1 = getelementptr i8, ptr %.47.i1056, i64 %.idx.i1057
  %.164.i = getelementptr i8, ptr %1, i64 8
  %.165.i = load i64, ptr %.164.i, align 8, !noalias !255
  %.272.i = getelementptr i8, ptr %1, i64 16
  %.273.i = load i64, ptr %.272.i, align 8, !noalias !255
  %spec.select.i1058 = tail call i64 @llvm.smax.i64(i64 %.273.i, i64 0)
  %.253.not.i.i = icmp eq i64 %arg.rest.fr.i, 0
  br i1 %.253.not.i.i, label %entry.split.us.i, label %B204.i

entry.split.us.i:                                 ; preds = %B1038
  br i1 %.771, label %B204.us.us.i, label %B204.us.i

B204.us.us.i:                                     ; preds = %entry.split.us.i, %B204.if.us.us.i
  %.301.0.us.us.i = phi i64 [ %.373.us.us.i, %B204.if.us.us.i ], [ %spec.select.i1058, %entry.split.us.i ]
  %.298.0.us.us.i = phi i64 [ %.377.us.us.i, %B204.if.us.us.i ], [ %.165.i, %entry.split.us.i ]
  %count.2.0.us.us.i = phi i64 [ %.536.fca.1.load.us.us.i, %B204.if.us.us.i ], [ %count.6.1, %entry.split.us.i ]
  %size.2.0.us.us.i = phi i64 [ %.536.fca.0.load.us.us.i, %B204.if.us.us.i ], [ %.459, %entry.split.us.i ]
  %.364.us.us.i = icmp sgt i64 %.301.0.us.us.i, 0
  br i1 %.364.us.us.i, label %B204.if.us.us.i, label %leaves.open_options.exit

B204.if.us.us.i:                                  ; preds = %B204.us.us.i
  %.373.us.us.i = add nsw i64 %.301.0.us.us.i, -1
  %.377.us.us.i = add i64 %.298.0.us.us.i, 1
  %.423.us.us.i = icmp slt i64 %.298.0.us.us.i, 0
  %.424.us.us.i = select i1 %.423.us.us.i, i64 %.83.i, i64 0
  %2 = getelementptr i64, ptr %.89.i, i64 %.298.0.us.us.i
  %.438.us.us.i = getelementptr i64, ptr %2, i64 %.424.us.us.i
  %.439.us.us.i = load i64, ptr %.438.us.us.i, align 8, !noalias !255
  call fastcc void @leaves.open_one(ptr %.520.i, ptr nonnull %arg.m.4, i64 %.439.us.us.i, i64 0, i64 %size.2.0.us.us.i, i64 %count.2.0.us.us.i)
  %.536.fca.0.load.us.us.i = load i64, ptr %.520.i, align 8, !noalias !255
  %.536.fca.1.load.us.us.i = load i64, ptr %.fca.1.gep.i, align 8, !noalias !255
  %.559.us.us.i = icmp eq i64 %.536.fca.0.load.us.us.i, -3
  %.562.us.us.i = icmp eq i64 %.536.fca.1.load.us.us.i, -3
  %or.cond.us.us.i = select i1 %.559.us.us.i, i1 true, i1 %.562.us.us.i
  br i1 %or.cond.us.us.i, label %leaves.open_options.exit, label %B204.us.us.i

B204.us.i:                                        ; preds = %entry.split.us.i, %B204.if.us.i
  %.301.0.us.i = phi i64 [ %.373.us.i, %B204.if.us.i ], [ %spec.select.i1058, %entry.split.us.i ]
  %.298.0.us.i = phi i64 [ %.377.us.i, %B204.if.us.i ], [ %.165.i, %entry.split.us.i ]
  %count.2.0.us.i = phi i64 [ %.536.fca.1.load.us.i, %B204.if.us.i ], [ %count.6.1, %entry.split.us.i ]
  %size.2.0.us.i = phi i64 [ %.536.fca.0.load.us.i, %B204.if.us.i ], [ %.459, %entry.split.us.i ]
  %.364.us.i = icmp sgt i64 %.301.0.us.i, 0
  br i1 %.364.us.i, label %B204.if.us.i, label %leaves.open_options.exit

B204.if.us.i:                                     ; preds = %B204.us.i
  %.373.us.i = add nsw i64 %.301.0.us.i, -1
  %.377.us.i = add i64 %.298.0.us.i, 1
  %.423.us.i = icmp slt i64 %.298.0.us.i, 0
  %.424.us.i = select i1 %.423.us.i, i64 %.83.i, i64 0
  %3 = getelementptr i64, ptr %.89.i, i64 %.298.0.us.i
  %.438.us.i = getelementptr i64, ptr %3, i64 %.424.us.i
  %.439.us.i = load i64, ptr %.438.us.i, align 8, !noalias !255
  call fastcc void @leaves.open_one(ptr %.520.i, ptr nonnull %arg.m.4, i64 %.439.us.i, i64 0, i64 %size.2.0.us.i, i64 %count.2.0.us.i)
  %.536.fca.0.load.us.i = load i64, ptr %.520.i, align 8, !noalias !255
  %.536.fca.1.load.us.i = load i64, ptr %.fca.1.gep.i, align 8, !noalias !255
  %.559.us.i = icmp eq i64 %.536.fca.0.load.us.i, -3
  %.562.us.i = icmp eq i64 %.536.fca.1.load.us.i, -3
  %or.cond.us.i = select i1 %.559.us.i, i1 true, i1 %.562.us.i
  br i1 %or.cond.us.i, label %leaves.open_options.exit, label %B204.us.i

B204.i:                                           ; preds = %B1038, %B278.i
  %.301.0.i = phi i64 [ %.373.i, %B278.i ], [ %spec.select.i1058, %B1038 ]
  %.298.0.i = phi i64 [ %.377.i, %B278.i ], [ %.165.i, %B1038 ]
  %count.2.0.i = phi i64 [ %.536.fca.1.load.i, %B278.i ], [ %count.6.1, %B1038 ]
  %size.2.0.i = phi i64 [ %.536.fca.0.load.i, %B278.i ], [ %.459, %B1038 ]
  %.364.i = icmp sgt i64 %.301.0.i, 0
  br i1 %.364.i, label %B204.if.i, label %leaves.open_options.exit

B242.i:                                           ; preds = %B204.if.i
  %.30.i.i = load i64, ptr %arg.m.4, align 8, !noalias !258
  %.33.i.i = load i64, ptr %.133, align 8, !noalias !258
  %.39.i.i = inttoptr i64 %.30.i.i to ptr
  %.72.i.i = load i64, ptr %.26, align 8, !noalias !258
  %.75.i.i = load i64, ptr %.29, align 8, !noalias !258
  %.81.i.i = inttoptr i64 %.72.i.i to ptr
  %.139.i.i = select i1 %.771, i64 %.33.i.i, i64 0
  %.140.i.i = add i64 %.139.i.i, %arg.node.fr.i
  %.164.idx.i.i = shl i64 %.140.i.i, 6
  %.164.i.i = getelementptr i8, ptr %.39.i.i, i64 %.164.idx.i.i
  %.165.i.i = load i64, ptr %.164.i.i, align 8, !noalias !258
  %.166.i.i = icmp eq i64 %.165.i.i, 6
  br i1 %.166.i.i, label %B136.i.i, label %B222.i.i.preheader

B136.i.i:                                         ; preds = %B242.i
  %.221.i.i = getelementptr i8, ptr %.164.i.i, i64 32
  %.222.i.i = load i64, ptr %.221.i.i, align 8, !noalias !258
  %.223.not.i.i = icmp eq i64 %.222.i.i, 0
  br i1 %.223.not.i.i, label %B222.i.i.preheader, label %leaves.past.exit.i

B222.i.i.preheader:                               ; preds = %B136.i.i, %B242.i
  br label %B222.i.i

B222.i.i:                                         ; preds = %B222.i.i.preheader, %B450.i.i
  %rest.3.1.i.i = phi i64 [ %rest.4.2.i.i, %B450.i.i ], [ %arg.rest.fr.i, %B222.i.i.preheader ]
  %.289.i.i = icmp slt i64 %rest.3.1.i.i, 0
  %.290.i.i = select i1 %.289.i.i, i64 %.75.i.i, i64 0
  %.291.i.i = add i64 %.290.i.i, %rest.3.1.i.i
  %.315.idx.i.i = shl i64 %.291.i.i, 6
  %.315.i.i = getelementptr i8, ptr %.81.i.i, i64 %.315.idx.i.i
  %.316.i.i = load i64, ptr %.315.i.i, align 8, !noalias !258
  %.370.i.i = getelementptr i8, ptr %.315.i.i, i64 8
  %.371.i.i = load i64, ptr %.370.i.i, align 8, !noalias !258
  %.380.i.i = icmp eq i64 %.316.i.i, %arg.node.fr.i
  br i1 %.380.i.i, label %B450.i.i, label %B300.i.i

B300.i.i:                                         ; preds = %B222.i.i
  %.420.i.i = icmp slt i64 %.316.i.i, 0
  %.421.i.i = select i1 %.420.i.i, i64 %.33.i.i, i64 0
  %.422.i.i = add i64 %.421.i.i, %.316.i.i
  %.446.idx.i.i = shl i64 %.422.i.i, 6
  %.446.i.i = getelementptr i8, ptr %.39.i.i, i64 %.446.idx.i.i
  %.447.i.i = load i64, ptr %.446.i.i, align 8, !noalias !258
  %.448.i.i = icmp eq i64 %.447.i.i, 2
  br i1 %.448.i.i, label %B348.i.i, label %leaves.past.exit.i

B348.i.i:                                         ; preds = %B300.i.i
  %.503.i.i = getelementptr i8, ptr %.446.i.i, i64 8
  %.504.i.i = load i64, ptr %.503.i.i, align 8, !noalias !258
  %.506.i.i = icmp eq i64 %.504.i.i, %arg.node.fr.i
  br i1 %.506.i.i, label %B386.i.i, label %leaves.past.exit.i

B386.i.i:                                         ; preds = %B348.i.i
  %.566.i.i = getelementptr i8, ptr %.446.i.i, i64 16
  %.567.i.i = load i64, ptr %.566.i.i, align 8, !noalias !258
  store i64 0, ptr %.570.i.i, align 8, !noalias !258
  call fastcc void @terms.push(ptr %.570.i.i, ptr nonnull %arg.m.4, i64 %.567.i.i, i64 %.371.i.i)
  %.586.i.i = load i64, ptr %.570.i.i, align 8, !noalias !258
  br label %B450.i.i

B450.i.i:                                         ; preds = %B386.i.i, %B222.i.i
  %rest.4.2.i.i = phi i64 [ %.586.i.i, %B386.i.i ], [ %.371.i.i, %B222.i.i ]
  switch i64 %rest.4.2.i.i, label %B222.i.i [
    i64 -3, label %leaves.past.exit.i
    i64 0, label %leaves.past.exit.i
  ]

leaves.past.exit.i:                               ; preds = %B450.i.i, %B450.i.i, %B348.i.i, %B300.i.i, %B136.i.i
  %storemerge.i.i = phi i64 [ %arg.rest.fr.i, %B136.i.i ], [ %rest.4.2.i.i, %B450.i.i ], [ %rest.3.1.i.i, %B348.i.i ], [ %rest.3.1.i.i, %B300.i.i ], [ %rest.4.2.i.i, %B450.i.i ]
  %.514.pre.i = load i64, ptr %.438.i, align 8, !noalias !255
  br label %B278.i

B278.i:                                           ; preds = %B204.if.i, %leaves.past.exit.i
  %.514.i = phi i64 [ %.514.pre.i, %leaves.past.exit.i ], [ %.439.i, %B204.if.i ]
  %"$phi278.1.2.1.i" = phi i64 [ %storemerge.i.i, %leaves.past.exit.i ], [ %arg.rest.fr.i, %B204.if.i ]
  call fastcc void @leaves.open_one(ptr %.520.i, ptr nonnull %arg.m.4, i64 %.514.i, i64 %"$phi278.1.2.1.i", i64 %size.2.0.i, i64 %count.2.0.i)
  %.536.fca.0.load.i = load i64, ptr %.520.i, align 8, !noalias !255
  %.536.fca.1.load.i = load i64, ptr %.fca.1.gep.i, align 8, !noalias !255
  %.559.i = icmp eq i64 %.536.fca.0.load.i, -3
  %.562.i = icmp eq i64 %.536.fca.1.load.i, -3
  %or.cond.i1059 = select i1 %.559.i, i1 true, i1 %.562.i
  br i1 %or.cond.i1059, label %leaves.open_options.exit, label %B204.i

B204.if.i:                                        ; preds = %B204.i
  %.373.i = add nsw i64 %.301.0.i, -1
  %.377.i = add i64 %.298.0.i, 1
  %.423.i = icmp slt i64 %.298.0.i, 0
  %.424.i = select i1 %.423.i, i64 %.83.i, i64 0
  %4 = getelementptr i64, ptr %.89.i, i64 %.298.0.i
  %.438.i = getelementptr i64, ptr %4, i64 %.424.i
  %.439.i = load i64, ptr %.438.i, align 8, !noalias !255
  %.440.i = icmp eq i64 %.439.i, 0
  br i1 %.440.i, label %B242.i, label %B278.i

leaves.open_options.exit:                         ; preds = %B204.i, %B278.i, %B204.us.i, %B204.if.us.i, %B204.us.us.i, %B204.if.us.us.i
  %.us-phi.i = phi i64 [ %.536.fca.0.load.us.i, %B204.if.us.i ], [ %.536.fca.0.load.us.us.i, %B204.if.us.us.i ], [ %size.2.0.us.us.i, %B204.us.us.i ], [ %size.2.0.us.i, %B204.us.i ], [ %.536.fca.0.load.i, %B278.i ], [ %size.2.0.i, %B204.i ]
  %.us-phi1.i = phi i64 [ %.536.fca.1.load.us.i, %B204.if.us.i ], [ %.536.fca.1.load.us.us.i, %B204.if.us.us.i ], [ %count.2.0.us.us.i, %B204.us.us.i ], [ %count.2.0.us.i, %B204.us.i ], [ %.536.fca.1.load.i, %B278.i ], [ %count.2.0.i, %B204.i ]
  br label %B1266

B1106:                                            ; preds = %B1016
  %.27.i.i = load i64, ptr %arg.m.4, align 8, !noalias !261
  %.30.i.i1060 = load i64, ptr %.133, align 8, !noalias !261
  %.36.i.i = inttoptr i64 %.27.i.i to ptr
  %.91.i.i = select i1 %.771, i64 %.30.i.i1060, i64 0
  %.92.i.i = add i64 %.91.i.i, %arg.node.fr.i
  %.idx.i.i = shl i64 %.92.i.i, 6
  %5 = getelementptr i8, ptr %.36.i.i, i64 %.idx.i.i
  %.116.i.i = getelementptr i8, ptr %5, i64 48
  %.117.i.i = load i64, ptr %.116.i.i, align 8, !noalias !261
  %.118.i.i = icmp slt i64 %.117.i.i, 0
  br i1 %.118.i.i, label %B84.i.i, label %B98.i

B84.i.i:                                          ; preds = %B1106
  %.173.i.i = getelementptr i8, ptr %5, i64 8
  %.174.i.i = load i64, ptr %.173.i.i, align 8, !noalias !261
  %.228.i.i = getelementptr i8, ptr %5, i64 16
  %.229.i.i = load i64, ptr %.228.i.i, align 8, !noalias !261
  %.283.i.i = getelementptr i8, ptr %5, i64 24
  %.284.i.i = load i64, ptr %.283.i.i, align 8, !noalias !261
  %.295.i.i = icmp eq i64 %.284.i.i, 1
  br i1 %.295.i.i, label %terms.after_one_round.exit.thread7.i, label %B228.i.i

terms.after_one_round.exit.thread7.i:             ; preds = %B84.i.i
  store i64 0, ptr %.116.i.i, align 8, !noalias !261
  br label %B98.i

B228.i.i:                                         ; preds = %B84.i.i
  %.310.i.i = icmp eq i64 %.284.i.i, -1
  %.313.i.i = icmp eq i64 %.229.i.i, 0
  %or.cond.i.i = select i1 %.310.i.i, i1 %.313.i.i, i1 false
  br i1 %or.cond.i.i, label %terms.after_one_round.exit.i, label %B268.i.i

B268.i.i:                                         ; preds = %B228.i.i
  %.50.i.i.i.i = load i64, ptr %.49.i.i.i.i, align 8, !noalias !266
  %.84.not.not.i.i.i.i = icmp slt i64 %.50.i.i.i.i, %.30.i.i1060
  br i1 %.84.not.not.i.i.i.i, label %terms.new_node.exit.i.i, label %terms.new_node.exit.thread.i.i

terms.new_node.exit.thread.i.i:                   ; preds = %B268.i.i
  store i64 0, ptr %.122.i.i.i.i, align 8, !noalias !266
  br label %leaves.open_repeat.exit

terms.new_node.exit.i.i:                          ; preds = %B268.i.i
  %6 = tail call i64 @llvm.smax.i64(i64 %.229.i.i, i64 1)
  %.11.i.i.i = add nsw i64 %6, -1
  %.386.i.i = icmp eq i64 %.11.i.i.i, 0
  %.388.i.i = zext i1 %.386.i.i to i64
  %.375.i.i = add nsw i64 %.284.i.i, -1
  %"$phi340.0.2.0.i.i" = select i1 %.310.i.i, i64 -1, i64 %.375.i.i
  %.212.i.i.i = icmp slt i64 %.50.i.i.i.i, 0
  %.213.i.i.i = select i1 %.212.i.i.i, i64 %.30.i.i1060, i64 0
  %.214.i.i.i = add i64 %.213.i.i.i, %.50.i.i.i.i
  %.238.idx.i.i.i = shl i64 %.214.i.i.i, 6
  %.238.i.i.i = getelementptr i8, ptr %.36.i.i, i64 %.238.idx.i.i.i
  store i64 4, ptr %.238.i.i.i, align 8, !noalias !271
  %.291.i.i.i = getelementptr i8, ptr %.238.i.i.i, i64 8
  store i64 %.174.i.i, ptr %.291.i.i.i, align 8, !noalias !271
  %.344.i.i.i = getelementptr i8, ptr %.238.i.i.i, i64 16
  store i64 %.11.i.i.i, ptr %.344.i.i.i, align 8, !noalias !271
  %.397.i.i.i = getelementptr i8, ptr %.238.i.i.i, i64 24
  store i64 %"$phi340.0.2.0.i.i", ptr %.397.i.i.i, align 8, !noalias !271
  %.450.i.i.i = getelementptr i8, ptr %.238.i.i.i, i64 32
  store i64 0, ptr %.450.i.i.i, align 8, !noalias !271
  %.504.i.i.i = getelementptr i8, ptr %.238.i.i.i, i64 40
  store i64 %.388.i.i, ptr %.504.i.i.i, align 8, !noalias !271
  %.559.i.i.i = getelementptr i8, ptr %.238.i.i.i, i64 48
  %.614.i.i.i = add nsw i64 %.50.i.i.i.i, 1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.559.i.i.i, i8 -1, i64 16, i1 false), !noalias !271
  store i64 %.614.i.i.i, ptr %.49.i.i.i.i, align 8, !noalias !271
  %.426.i.i = icmp eq i64 %.50.i.i.i.i, -3
  br i1 %.426.i.i, label %leaves.open_repeat.exit, label %terms.after_one_round.exit.i

terms.after_one_round.exit.i:                     ; preds = %terms.new_node.exit.i.i, %B228.i.i
  %less.3.0.i.i = phi i64 [ %.50.i.i.i.i, %terms.new_node.exit.i.i ], [ %arg.node.fr.i, %B228.i.i ]
  store i64 %less.3.0.i.i, ptr %.116.i.i, align 8, !noalias !261
  %.62.i = icmp eq i64 %less.3.0.i.i, -3
  br i1 %.62.i, label %leaves.open_repeat.exit, label %B98.i

B98.i:                                            ; preds = %terms.after_one_round.exit.i, %terms.after_one_round.exit.thread7.i, %B1106
  %storemerge.i6.i = phi i64 [ 0, %terms.after_one_round.exit.thread7.i ], [ %less.3.0.i.i, %terms.after_one_round.exit.i ], [ %.117.i.i, %B1106 ]
  store i64 0, ptr %.76.i, align 8, !noalias !272
  call fastcc void @terms.push(ptr %.76.i, ptr nonnull %arg.m.4, i64 %storemerge.i6.i, i64 %arg.rest.fr.i)
  %.92.i = load i64, ptr %.76.i, align 8, !noalias !272
  br label %leaves.open_repeat.exit

leaves.open_repeat.exit:                          ; preds = %terms.new_node.exit.thread.i.i, %terms.new_node.exit.i.i, %terms.after_one_round.exit.i, %B98.i
  %"$phi130.0.2.0.i" = phi i64 [ %.92.i, %B98.i ], [ -3, %terms.after_one_round.exit.i ], [ -3, %terms.new_node.exit.thread.i.i ], [ -3, %terms.new_node.exit.i.i ]
  %.122.i = load i64, ptr %arg.m.4, align 8, !noalias !272
  %.125.i = load i64, ptr %.133, align 8, !noalias !272
  %.131.i = inttoptr i64 %.122.i to ptr
  %.184.i = select i1 %.771, i64 %.125.i, i64 0
  %.185.i = add i64 %.184.i, %arg.node.fr.i
  %.idx.i1063 = shl i64 %.185.i, 6
  %7 = getelementptr i8, ptr %.131.i, i64 %.idx.i1063
  %.209.i = getelementptr i8, ptr %7, i64 8
  %.210.i1064 = load i64, ptr %.209.i, align 8, !noalias !272
  call fastcc void @leaves.open_one(ptr %.214.i, ptr nonnull %arg.m.4, i64 %.210.i1064, i64 %"$phi130.0.2.0.i", i64 %.459, i64 %count.6.1)
  %.230.fca.0.load.i = load i64, ptr %.214.i, align 8, !noalias !272
  %.230.fca.1.load.i = load i64, ptr %.fca.1.gep.i1062, align 8, !noalias !272
  br label %B1266

B1266.thread:                                     ; preds = %B1016, %B1016
  call fastcc void @leaves.append_leaf(ptr %.1142, ptr nonnull %arg.m.4, i64 %arg.node.fr.i, i64 %arg.rest.fr.i, i64 %count.6.1)
  %.1158 = load i64, ptr %.1142, align 8
  br label %B1278

B1222:                                            ; preds = %B1016
  store i64 0, ptr %.27.i, align 8, !noalias !273
  call fastcc void @terms.edges_of(ptr %.27.i, ptr nonnull %arg.m.4, i64 %arg.node.fr.i)
  %.43.i = load i64, ptr %.27.i, align 8, !noalias !273
  %.64.i = load i64, ptr %.79.i, align 8, !noalias !273
  %.67.i = load i64, ptr %.82.i, align 8, !noalias !273
  %.73.i = inttoptr i64 %.64.i to ptr
  %.100.i = icmp eq i64 %.43.i, -3
  br i1 %.100.i, label %leaves.open_edges.exit, label %B144.i

B144.i:                                           ; preds = %B1222
  %.145.i = icmp slt i64 %.43.i, 0
  %.146.i = select i1 %.145.i, i64 %.67.i, i64 0
  %8 = getelementptr i64, ptr %.73.i, i64 %.43.i
  %.160.i = getelementptr i64, ptr %8, i64 %.146.i
  %.161.i = load i64, ptr %.160.i, align 8, !noalias !273
  %spec.select.i1071 = tail call i64 @llvm.smax.i64(i64 %.161.i, i64 0)
  %.293.i = add nsw i64 %.43.i, 1
  %.328.i = add nsw i64 %.43.i, 2
  br label %B186.i1072

B186.i1072:                                       ; preds = %terms.push_tail.exit.i, %B144.i
  %.185.0.i = phi i64 [ 0, %B144.i ], [ %.262.i, %terms.push_tail.exit.i ]
  %size.2.0.i1073 = phi i64 [ %.459, %B144.i ], [ %.408.fca.0.load.i, %terms.push_tail.exit.i ]
  %count.2.0.i1074 = phi i64 [ %count.6.1, %B144.i ], [ %.408.fca.1.load.i, %terms.push_tail.exit.i ]
  %exitcond.not.i = icmp eq i64 %.185.0.i, %spec.select.i1071
  br i1 %exitcond.not.i, label %leaves.open_edges.exit, label %B186.if.i

B186.if.i:                                        ; preds = %B186.i1072
  %.262.i = add nuw i64 %.185.0.i, 1
  %9 = shl nsw i64 %.185.0.i, 1
  %.295.i = add nsw i64 %.293.i, %9
  %.309.i = icmp slt i64 %.295.i, 0
  %.310.i = select i1 %.309.i, i64 %.67.i, i64 0
  %10 = getelementptr i64, ptr %.73.i, i64 %.295.i
  %.324.i = getelementptr i64, ptr %10, i64 %.310.i
  %.325.i1075 = load i64, ptr %.324.i, align 8, !noalias !273
  %.330.i = add nsw i64 %.328.i, %9
  %.344.i = icmp slt i64 %.330.i, 0
  %.345.i = select i1 %.344.i, i64 %.67.i, i64 0
  %11 = getelementptr i64, ptr %.73.i, i64 %.330.i
  %.359.i = getelementptr i64, ptr %11, i64 %.345.i
  %.360.i = load i64, ptr %.359.i, align 8, !noalias !273
  %.38.i.i = load i64, ptr %arg.m.4, align 8, !noalias !276
  %.41.i.i = load i64, ptr %.133, align 8, !noalias !276
  %.47.i.i = inttoptr i64 %.38.i.i to ptr
  %.101.i.i = icmp slt i64 %.360.i, 0
  %.102.i.i = select i1 %.101.i.i, i64 %.41.i.i, i64 0
  %.103.i.i = add i64 %.102.i.i, %.360.i
  %.127.idx.i.i = shl i64 %.103.i.i, 6
  %.127.i.i = getelementptr i8, ptr %.47.i.i, i64 %.127.idx.i.i
  %.128.i.i = load i64, ptr %.127.i.i, align 8, !noalias !276
  %.129.i.i = icmp eq i64 %.128.i.i, 2
  br i1 %.129.i.i, label %B94.i.i, label %B220.i.i

B94.i.i:                                          ; preds = %B186.if.i
  %.189.i.i = getelementptr i8, ptr %.127.i.i, i64 16
  %.190.i.i = load i64, ptr %.189.i.i, align 8, !noalias !276
  store i64 0, ptr %.193.i.i, align 8, !noalias !276
  call fastcc void @terms.push(ptr %.193.i.i, ptr nonnull %arg.m.4, i64 %.190.i.i, i64 %arg.rest.fr.i)
  %.209.i.i = load i64, ptr %.193.i.i, align 8, !noalias !276
  %.227.i.i = icmp eq i64 %.209.i.i, -3
  br i1 %.227.i.i, label %terms.push_tail.exit.i, label %B190.i.i

B190.i.i:                                         ; preds = %B94.i.i
  %.299.i.i = getelementptr i8, ptr %.127.i.i, i64 8
  %.300.i.i = load i64, ptr %.299.i.i, align 8, !noalias !276
  br label %B220.i.i

B220.i.i:                                         ; preds = %B190.i.i, %B186.if.i
  %rest.2.0.i.i = phi i64 [ %.209.i.i, %B190.i.i ], [ %arg.rest.fr.i, %B186.if.i ]
  %node.2.0.i.i = phi i64 [ %.300.i.i, %B190.i.i ], [ %.360.i, %B186.if.i ]
  store i64 0, ptr %.316.i.i1069, align 8, !noalias !276
  call fastcc void @terms.push(ptr %.316.i.i1069, ptr nonnull %arg.m.4, i64 %node.2.0.i.i, i64 %rest.2.0.i.i)
  %.332.i.i = load i64, ptr %.316.i.i1069, align 8, !noalias !276
  br label %terms.push_tail.exit.i

terms.push_tail.exit.i:                           ; preds = %B220.i.i, %B94.i.i
  %storemerge.i.i1076 = phi i64 [ %.332.i.i, %B220.i.i ], [ -3, %B94.i.i ]
  call fastcc void @leaves.open_one(ptr %.392.i, ptr nonnull %arg.m.4, i64 %.325.i1075, i64 %storemerge.i.i1076, i64 %size.2.0.i1073, i64 %count.2.0.i1074)
  %.408.fca.0.load.i = load i64, ptr %.392.i, align 8, !noalias !273
  %.408.fca.1.load.i = load i64, ptr %.fca.1.gep.i1070, align 8, !noalias !273
  %.431.i = icmp eq i64 %.408.fca.0.load.i, -3
  %.434.i = icmp eq i64 %.408.fca.1.load.i, -3
  %or.cond.i1077 = select i1 %.431.i, i1 true, i1 %.434.i
  br i1 %or.cond.i1077, label %leaves.open_edges.exit, label %B186.i1072

leaves.open_edges.exit:                           ; preds = %B186.i1072, %terms.push_tail.exit.i, %B1222
  %size.3.1.sink.i = phi i64 [ -3, %B1222 ], [ %.408.fca.0.load.i, %terms.push_tail.exit.i ], [ %size.2.0.i1073, %B186.i1072 ]
  %count.3.1.sink.i = phi i64 [ %count.6.1, %B1222 ], [ %.408.fca.1.load.i, %terms.push_tail.exit.i ], [ %count.2.0.i1074, %B186.i1072 ]
  br label %B1266

B1266:                                            ; preds = %leaves.open_edges.exit, %leaves.open_repeat.exit, %leaves.open_options.exit
  %size.9.2 = phi i64 [ %.us-phi.i, %leaves.open_options.exit ], [ %.230.fca.0.load.i, %leaves.open_repeat.exit ], [ %size.3.1.sink.i, %leaves.open_edges.exit ]
  %count.8.2 = phi i64 [ %.us-phi1.i, %leaves.open_options.exit ], [ %.230.fca.1.load.i, %leaves.open_repeat.exit ], [ %count.3.1.sink.i, %leaves.open_edges.exit ]
  %.1221 = icmp sgt i64 %size.9.2, -1
  br i1 %.1221, label %B1278, label %B1394

B1278:                                            ; preds = %B1266.thread, %B1266
  %count.8.229 = phi i64 [ %.1158, %B1266.thread ], [ %count.8.2, %B1266 ]
  %size.9.227 = phi i64 [ %.459, %B1266.thread ], [ %size.9.2, %B1266 ]
  %.1279 = getelementptr i8, ptr %.797, i64 40
  %.1280 = load i64, ptr %.1279, align 8
  %.1281.not = icmp eq i64 %.1280, 0
  %.1287.not = icmp eq i64 %.798, 3
  %or.cond1039 = or i1 %.1287.not, %.1281.not
  br i1 %or.cond1039, label %B1394, label %B1330

B1330:                                            ; preds = %B1278
  %.30.i1078 = load i64, ptr %arg.m.4, align 8, !noalias !279
  %.33.i1080 = load i64, ptr %.133, align 8, !noalias !279
  %.39.i1081 = inttoptr i64 %.30.i1078 to ptr
  %.72.i1083 = load i64, ptr %.26, align 8, !noalias !279
  %.75.i1085 = load i64, ptr %.29, align 8, !noalias !279
  %.81.i1086 = inttoptr i64 %.72.i1083 to ptr
  %.139.i1088 = select i1 %.771, i64 %.33.i1080, i64 0
  %.140.i1089 = add i64 %.139.i1088, %arg.node.fr.i
  %.164.idx.i = shl i64 %.140.i1089, 6
  %.164.i1090 = getelementptr i8, ptr %.39.i1081, i64 %.164.idx.i
  %.165.i1091 = load i64, ptr %.164.i1090, align 8, !noalias !279
  %.166.i = icmp eq i64 %.165.i1091, 6
  br i1 %.166.i, label %B136.i, label %B200.i

B136.i:                                           ; preds = %B1330
  %.221.i = getelementptr i8, ptr %.164.i1090, i64 32
  %.222.i = load i64, ptr %.221.i, align 8, !noalias !279
  %.223.not.i = icmp eq i64 %.222.i, 0
  br i1 %.223.not.i, label %B200.i, label %leaves.past.exit

B200.i:                                           ; preds = %B136.i, %B1330
  %.253.not.i = icmp eq i64 %arg.rest.fr.i, 0
  br i1 %.253.not.i, label %B124.i1101.thread, label %B222.i

B222.i:                                           ; preds = %B200.i, %B450.i
  %rest.3.1.i = phi i64 [ %rest.4.2.i, %B450.i ], [ %arg.rest.fr.i, %B200.i ]
  %.289.i = icmp slt i64 %rest.3.1.i, 0
  %.290.i = select i1 %.289.i, i64 %.75.i1085, i64 0
  %.291.i = add i64 %.290.i, %rest.3.1.i
  %.315.idx.i = shl i64 %.291.i, 6
  %.315.i1092 = getelementptr i8, ptr %.81.i1086, i64 %.315.idx.i
  %.316.i = load i64, ptr %.315.i1092, align 8, !noalias !279
  %.370.i = getelementptr i8, ptr %.315.i1092, i64 8
  %.371.i = load i64, ptr %.370.i, align 8, !noalias !279
  %.380.i = icmp eq i64 %.316.i, %arg.node.fr.i
  br i1 %.380.i, label %B450.i, label %B300.i1093

B300.i1093:                                       ; preds = %B222.i
  %.420.i = icmp slt i64 %.316.i, 0
  %.421.i = select i1 %.420.i, i64 %.33.i1080, i64 0
  %.422.i = add i64 %.421.i, %.316.i
  %.446.idx.i = shl i64 %.422.i, 6
  %.446.i = getelementptr i8, ptr %.39.i1081, i64 %.446.idx.i
  %.447.i = load i64, ptr %.446.i, align 8, !noalias !279
  %.448.i = icmp eq i64 %.447.i, 2
  br i1 %.448.i, label %B348.i, label %leaves.past.exit

B348.i:                                           ; preds = %B300.i1093
  %.503.i = getelementptr i8, ptr %.446.i, i64 8
  %.504.i = load i64, ptr %.503.i, align 8, !noalias !279
  %.506.i1094 = icmp eq i64 %.504.i, %arg.node.fr.i
  br i1 %.506.i1094, label %B386.i, label %leaves.past.exit

B386.i:                                           ; preds = %B348.i
  %.566.i = getelementptr i8, ptr %.446.i, i64 16
  %.567.i = load i64, ptr %.566.i, align 8, !noalias !279
  store i64 0, ptr %.570.i, align 8, !noalias !279
  call fastcc void @terms.push(ptr %.570.i, ptr nonnull %arg.m.4, i64 %.567.i, i64 %.371.i)
  %.586.i = load i64, ptr %.570.i, align 8, !noalias !279
  br label %B450.i

B450.i:                                           ; preds = %B386.i, %B222.i
  %rest.4.2.i = phi i64 [ %.586.i, %B386.i ], [ %.371.i, %B222.i ]
  switch i64 %rest.4.2.i, label %B222.i [
    i64 -3, label %leaves.past.exit.thread38
    i64 0, label %B124.i1101.thread
  ]

leaves.past.exit.thread38:                        ; preds = %B450.i
  br label %common.ret

B124.i1101.thread:                                ; preds = %B450.i, %B200.i
  br label %12

leaves.past.exit:                                 ; preds = %B300.i1093, %B348.i, %B136.i
  %storemerge.i = phi i64 [ %arg.rest.fr.i, %B136.i ], [ %rest.3.1.i, %B348.i ], [ %rest.3.1.i, %B300.i1093 ]
  %.108.i1100 = icmp eq i64 %storemerge.i, -3
  br i1 %.108.i1100, label %common.ret, label %B124.i1101

B124.i1101:                                       ; preds = %leaves.past.exit
  %.33.i1106 = load i64, ptr %.29, align 8, !noalias !282
  %.149.i1107 = icmp slt i64 %storemerge.i, 0
  %spec.select96 = select i1 %.149.i1107, i64 %.33.i1106, i64 0
  br label %12

12:                                               ; preds = %B124.i1101, %B124.i1101.thread
  %storemerge.i3554 = phi i64 [ 0, %B124.i1101.thread ], [ %storemerge.i, %B124.i1101 ]
  %13 = phi i64 [ 0, %B124.i1101.thread ], [ %spec.select96, %B124.i1101 ]
  %.81.i10993752.in = load i64, ptr %.220, align 8, !noalias !285
  %.81.i10993752 = inttoptr i64 %.81.i10993752.in to ptr
  %.75.i10983653 = load i64, ptr %.74.i, align 8, !noalias !285
  %.39.i110455.in = load i64, ptr %.26, align 8, !noalias !282
  %.39.i110455 = inttoptr i64 %.39.i110455.in to ptr
  %.151.i1109 = add i64 %13, %storemerge.i3554
  %.idx.i1110 = shl i64 %.151.i1109, 6
  %14 = getelementptr i8, ptr %.39.i110455, i64 %.idx.i1110
  %.175.i1111 = getelementptr i8, ptr %14, i64 40
  %.176.i1112 = load i64, ptr %.175.i1111, align 8, !noalias !282
  %.206.i1114 = load i64, ptr %.322, align 8, !noalias !282
  %.207.i1115 = icmp eq i64 %.176.i1112, %.206.i1114
  br i1 %.207.i1115, label %B1394, label %B188.i1116

B188.i1116:                                       ; preds = %12
  %.224.i = add nsw i64 %size.9.227, 1
  %.50.i.i1118 = load i64, ptr %.49.i.i1117, align 8, !noalias !286
  %.51.i.i1119 = add nsw i64 %.50.i.i1118, %.224.i
  %.84.not.i.i1120 = icmp sgt i64 %.51.i.i1119, %.75.i10983653
  br i1 %.84.not.i.i1120, label %B238.i1124, label %B252.i1121

B238.i1124:                                       ; preds = %B188.i1116
  store i64 30, ptr %.122.i.i.i.i, align 8, !noalias !286
  br label %common.ret

B252.i1121:                                       ; preds = %B188.i1116
  store i64 %.206.i1114, ptr %.175.i1111, align 8, !noalias !282
  %.380.i1122 = icmp slt i64 %size.9.227, 0
  %.381.i = select i1 %.380.i1122, i64 %.75.i10983653, i64 0
  %15 = getelementptr i64, ptr %.81.i10993752, i64 %size.9.227
  %.395.i = getelementptr i64, ptr %15, i64 %.381.i
  store i64 %storemerge.i3554, ptr %.395.i, align 8, !noalias !282
  br label %B1394

B1394:                                            ; preds = %B252.i1121, %12, %B1278, %B1266
  %count.8.228 = phi i64 [ %count.8.229, %B1278 ], [ %count.8.2, %B1266 ], [ %count.8.229, %12 ], [ %count.8.229, %B252.i1121 ]
  %size.8.2 = phi i64 [ %size.9.227, %B1278 ], [ %size.9.2, %B1266 ], [ %size.9.227, %12 ], [ %.224.i, %B252.i1121 ]
  %.1368 = icmp eq i64 %size.8.2, -3
  %.1371 = icmp eq i64 %count.8.228, -3
  %or.cond = select i1 %.1368, i1 true, i1 %.1371
  br i1 %or.cond, label %common.ret, label %B1478

B1478:                                            ; preds = %B1394
  %.1425 = icmp sgt i64 %size.8.2, 0
  br i1 %.1425, label %B530, label %B1492

B1492:                                            ; preds = %B516.loopexit, %B1478, %B124.i, %B110, %B238.i
  %nullable.2.0177 = phi i64 [ 0, %B124.i ], [ %nullable.2.0180, %B1478 ], [ 0, %B238.i ], [ 0, %B110 ], [ 1, %B516.loopexit ]
  %count.9.2 = phi i64 [ 0, %B124.i ], [ %count.8.228, %B1478 ], [ 0, %B238.i ], [ 0, %B110 ], [ %count.6.1, %B516.loopexit ]
  %repeated.5.2 = phi i64 [ -1, %B124.i ], [ %repeated.4.2, %B1478 ], [ -1, %B238.i ], [ -1, %B110 ], [ %repeated.2.1, %B516.loopexit ]
  %quoted.5.2 = phi i64 [ 0, %B124.i ], [ %quoted.4.2, %B1478 ], [ 0, %B238.i ], [ 0, %B110 ], [ %quoted.2.1, %B516.loopexit ]
  %.43.i1127 = sdiv i64 %count.9.2, 9
  %.44.i = srem i64 %count.9.2, 9
  %.44.lobit.i = ashr i64 %.44.i, 63
  %.32.0.i = add nsw i64 %.44.lobit.i, %.43.i1127
  %.65.i = icmp sgt i64 %.32.0.i, 1
  br i1 %.65.i, label %B26.i, label %B72.i.preheader

B26.i:                                            ; preds = %B1492, %B26.i
  %gap.3.0.i = phi i64 [ %.69.i, %B26.i ], [ 1, %B1492 ]
  %.68.i = mul nsw i64 %gap.3.0.i, 3
  %.69.i = add nsw i64 %.68.i, 1
  %.115.i = icmp slt i64 %.69.i, %.32.0.i
  br i1 %.115.i, label %B26.i, label %B72.i.preheader

B72.i.preheader:                                  ; preds = %B26.i, %B1492
  %gap.5.0.i.ph = phi i64 [ 1, %B1492 ], [ %.69.i, %B26.i ]
  br label %B72.i

B72.i:                                            ; preds = %B72.i.preheader, %B262.else.if.i
  %gap.5.0.i = phi i64 [ %.538.i, %B262.else.if.i ], [ %gap.5.0.i.ph, %B72.i.preheader ]
  %.169.i = sub i64 %count.9.2, %gap.5.0.i
  %.2143.not.i = icmp slt i64 %.169.i, 1
  br i1 %.2143.not.i, label %B262.else.if.i, label %B104.if.i

B140.i:                                           ; preds = %B104.if.i
  %.305.i = sub nsw i64 %.156.04.i, %gap.5.0.i
  %.336.i = getelementptr i64, ptr %.268, i64 %.305.i
  %.337.i = load i64, ptr %.336.i, align 8, !noalias !289
  %.339.i = icmp sgt i64 %.337.i, %.281.i
  br i1 %.339.i, label %B170.i, label %B250.i

B170.i:                                           ; preds = %B140.i, %B220.i
  %j.2.3.i = phi i64 [ %.346.i, %B220.i ], [ %.156.04.i, %B140.i ]
  %.346.i = sub nsw i64 %j.2.3.i, %gap.5.0.i
  %.360.i1131 = icmp slt i64 %.346.i, 0
  %.361.i = select i1 %.360.i1131, i64 %.262, i64 0
  %16 = getelementptr i64, ptr %.268, i64 %.346.i
  %.375.i = getelementptr i64, ptr %16, i64 %.361.i
  %.376.i = load i64, ptr %.375.i, align 8, !noalias !289
  %.406.i = getelementptr i64, ptr %.268, i64 %j.2.3.i
  store i64 %.376.i, ptr %.406.i, align 8, !noalias !289
  %.421.not.i = icmp slt i64 %.346.i, %gap.5.0.i
  br i1 %.421.not.i, label %B250.i, label %B220.i

B220.i:                                           ; preds = %B170.i
  %.431.i1132 = sub nsw i64 %.346.i, %gap.5.0.i
  %.462.i = getelementptr i64, ptr %.268, i64 %.431.i1132
  %.463.i = load i64, ptr %.462.i, align 8, !noalias !289
  %.465.i = icmp sgt i64 %.463.i, %.281.i
  br i1 %.465.i, label %B170.i, label %B250.i

B250.i:                                           ; preds = %B220.i, %B170.i, %B104.if.i, %B140.i
  %.494.pre-phi.i = phi i64 [ %.266.i, %B104.if.i ], [ %.266.i, %B140.i ], [ %.361.i, %B170.i ], [ %.361.i, %B220.i ]
  %j.3.2.i = phi i64 [ %.156.04.i, %B104.if.i ], [ %.156.04.i, %B140.i ], [ %.346.i, %B170.i ], [ %.346.i, %B220.i ]
  %17 = getelementptr i64, ptr %.268, i64 %j.3.2.i
  %.508.i = getelementptr i64, ptr %17, i64 %.494.pre-phi.i
  store i64 %.281.i, ptr %.508.i, align 8, !noalias !289
  %.214.i1129 = icmp sgt i64 %.159.05.i, 1
  br i1 %.214.i1129, label %B104.if.i, label %B262.else.if.i

B284.i:                                           ; preds = %B262.else.if.i
  %.6566.not.i = icmp slt i64 %count.9.2, 1
  br i1 %.6566.not.i, label %leaves.sorted_once.exit.thread, label %B318.if.i

B334.i:                                           ; preds = %B318.if.i
  %.750.inv.i = icmp sgt i64 %kept.2.09.i, 0
  %.751.i = select i1 %.750.inv.i, i64 0, i64 %.262
  %18 = getelementptr i64, ptr %.268, i64 %kept.2.09.i
  %19 = getelementptr i8, ptr %18, i64 -8
  %.765.i = getelementptr i64, ptr %19, i64 %.751.i
  %.766.i = load i64, ptr %.765.i, align 8, !noalias !289
  %.767.not.i = icmp eq i64 %.799.pre.i, %.766.i
  br i1 %.767.not.i, label %B408.i, label %B376.i

B376.i:                                           ; preds = %B318.if.i, %B334.i
  %.816.i = icmp slt i64 %kept.2.09.i, 0
  %.817.i = select i1 %.816.i, i64 %.262, i64 0
  %20 = getelementptr i64, ptr %.268, i64 %kept.2.09.i
  %.831.i = getelementptr i64, ptr %20, i64 %.817.i
  store i64 %.799.pre.i, ptr %.831.i, align 8, !noalias !289
  %.834.i = add nsw i64 %kept.2.09.i, 1
  br label %B408.i

B408.i:                                           ; preds = %B376.i, %B334.i
  %kept.3.2.i = phi i64 [ %.834.i, %B376.i ], [ %kept.2.09.i, %B334.i ]
  %exitcond.not.i1130 = icmp eq i64 %count.9.2, %.669.i
  br i1 %exitcond.not.i1130, label %leaves.sorted_once.exit, label %B318.if.i

B104.if.i:                                        ; preds = %B72.i, %B250.i
  %.159.05.i = phi i64 [ %.223.i, %B250.i ], [ %.169.i, %B72.i ]
  %.156.04.i = phi i64 [ %.227.i, %B250.i ], [ %gap.5.0.i, %B72.i ]
  %.223.i = add nsw i64 %.159.05.i, -1
  %.227.i = add i64 %.156.04.i, 1
  %.265.i = icmp slt i64 %.156.04.i, 0
  %.266.i = select i1 %.265.i, i64 %.262, i64 0
  %21 = getelementptr i64, ptr %.268, i64 %.156.04.i
  %.280.i1128 = getelementptr i64, ptr %21, i64 %.266.i
  %.281.i = load i64, ptr %.280.i1128, align 8, !noalias !289
  %.294.not.i = icmp slt i64 %.156.04.i, %gap.5.0.i
  br i1 %.294.not.i, label %B250.i, label %B140.i

B262.else.if.i:                                   ; preds = %B250.i, %B72.i
  %.538.i = udiv i64 %gap.5.0.i, 3
  %.562.not.i = icmp ult i64 %gap.5.0.i, 3
  br i1 %.562.not.i, label %B284.i, label %B72.i

B318.if.i:                                        ; preds = %B284.i, %B408.i
  %kept.2.09.i = phi i64 [ %kept.3.2.i, %B408.i ], [ 0, %B284.i ]
  %.600.07.i = phi i64 [ %.669.i, %B408.i ], [ 0, %B284.i ]
  %.669.i = add nuw nsw i64 %.600.07.i, 1
  %.698.i = icmp eq i64 %kept.2.09.i, 0
  %.phi.trans.insert.i = getelementptr i64, ptr %.268, i64 %.600.07.i
  %.799.pre.i = load i64, ptr %.phi.trans.insert.i, align 8, !noalias !289
  br i1 %.698.i, label %B376.i, label %B334.i

leaves.sorted_once.exit:                          ; preds = %B408.i
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 104
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !292
  %.51.i = add nsw i64 %.50.i, %kept.3.2.i
  %.82.i1133 = getelementptr i8, ptr %arg.m.4, i64 112
  %.83.i1134 = load i64, ptr %.82.i1133, align 8, !noalias !292
  %.84.not.i = icmp sgt i64 %.51.i, %.83.i1134
  br i1 %.84.not.i, label %B1568, label %B1712.preheader

leaves.sorted_once.exit.thread:                   ; preds = %B284.i
  %.49.i64 = getelementptr i8, ptr %arg.m.4, i64 104
  %.50.i65 = load i64, ptr %.49.i64, align 8, !noalias !295
  %.82.i113367 = getelementptr i8, ptr %arg.m.4, i64 112
  %.83.i113468 = load i64, ptr %.82.i113367, align 8, !noalias !295
  %.84.not.i69 = icmp sgt i64 %.50.i65, %.83.i113468
  br i1 %.84.not.i69, label %B1568, label %B1746

B1568:                                            ; preds = %leaves.sorted_once.exit.thread, %leaves.sorted_once.exit
  %.122.i1136 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 12, ptr %.122.i1136, align 8, !noalias !292
  br label %common.ret

B1712.preheader:                                  ; preds = %leaves.sorted_once.exit
  %.158694.ph.in.in = getelementptr i8, ptr %arg.m.4, i64 96
  %.158694.ph.in = load i64, ptr %.158694.ph.in.in, align 8
  %.158694.ph = inttoptr i64 %.158694.ph.in to ptr
  %.1692188.not = icmp slt i64 %kept.3.2.i, 1
  br i1 %.1692188.not, label %B1746, label %B1712.if.preheader

B1712.if.preheader:                               ; preds = %B1712.preheader
  %xtraiter = and i64 %kept.3.2.i, 1
  %22 = icmp eq i64 %kept.3.2.i, 1
  br i1 %22, label %B1712.if.epil.preheader, label %B1712.if.preheader.new

B1712.if.preheader.new:                           ; preds = %B1712.if.preheader
  %unroll_iter = and i64 %kept.3.2.i, 9223372036854775806
  br label %B1712.if

B1746.loopexit.unr-lcssa:                         ; preds = %B1712.if
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B1746, label %B1712.if.epil.preheader

B1712.if.epil.preheader:                          ; preds = %B1746.loopexit.unr-lcssa, %B1712.if.preheader
  %.1636.0189.epil.init = phi i64 [ 0, %B1712.if.preheader ], [ %.1705.1, %B1746.loopexit.unr-lcssa ]
  %lcmp.mod103 = icmp ne i64 %xtraiter, 0
  tail call void @llvm.assume(i1 %lcmp.mod103)
  %23 = getelementptr i64, ptr %.268, i64 %.1636.0189.epil.init
  %.1759.epil = load i64, ptr %23, align 8
  %.1761.epil = add nsw i64 %.1636.0189.epil.init, %.50.i
  %.1775.epil = icmp slt i64 %.1761.epil, 0
  %.1776.epil = select i1 %.1775.epil, i64 %.83.i1134, i64 0
  %24 = getelementptr i64, ptr %.158694.ph, i64 %.1761.epil
  %.1790.epil = getelementptr i64, ptr %24, i64 %.1776.epil
  store i64 %.1759.epil, ptr %.1790.epil, align 8
  br label %B1746

B1746:                                            ; preds = %B1712.if.epil.preheader, %B1746.loopexit.unr-lcssa, %leaves.sorted_once.exit.thread, %B1712.preheader
  %.51.i7386.ph272 = phi i64 [ %.50.i65, %leaves.sorted_once.exit.thread ], [ %.51.i, %B1712.preheader ], [ %.51.i, %B1746.loopexit.unr-lcssa ], [ %.51.i, %B1712.if.epil.preheader ]
  %.50.i7288.ph271 = phi i64 [ %.50.i65, %leaves.sorted_once.exit.thread ], [ %.50.i, %B1712.preheader ], [ %.50.i, %B1746.loopexit.unr-lcssa ], [ %.50.i, %B1712.if.epil.preheader ]
  %.49.i7190.ph270 = phi ptr [ %.49.i64, %leaves.sorted_once.exit.thread ], [ %.49.i, %B1712.preheader ], [ %.49.i, %B1746.loopexit.unr-lcssa ], [ %.49.i, %B1712.if.epil.preheader ]
  %kept.2.0.lcssa.i7092.ph269 = phi i64 [ 0, %leaves.sorted_once.exit.thread ], [ %kept.3.2.i, %B1712.preheader ], [ %kept.3.2.i, %B1746.loopexit.unr-lcssa ], [ %kept.3.2.i, %B1712.if.epil.preheader ]
  store i64 %.51.i7386.ph272, ptr %.49.i7190.ph270, align 8
  store i64 %.50.i7288.ph271, ptr %.112, align 8
  %.1949 = getelementptr i8, ptr %0, i64 24
  store i64 %kept.2.0.lcssa.i7092.ph269, ptr %.1949, align 8
  %.2007 = getelementptr i8, ptr %0, i64 56
  store i64 %repeated.5.2, ptr %.2007, align 8
  %.2013 = or i64 %quoted.5.2, %nullable.2.0177
  %.2073 = getelementptr i8, ptr %0, i64 32
  store i64 %.2013, ptr %.2073, align 8
  br label %common.ret

B842.endif.endif:                                 ; preds = %B458.i, %B362.i, %B68.i, %B164.i
  %node.3.0.i11 = phi i64 [ %.549, %B68.i ], [ %.549, %B164.i ], [ %.5076.i, %B362.i ], [ %.5076.i, %B458.i ]
  %rest.4.0.i10 = phi i64 [ %.634, %B68.i ], [ %.634, %B164.i ], [ %rest.3.25.i, %B362.i ], [ %rest.3.25.i, %B458.i ]
  %arg.rest.fr.i = freeze i64 %rest.4.0.i10
  %arg.node.fr.i = freeze i64 %node.3.0.i11
  %.771 = icmp slt i64 %arg.node.fr.i, 0
  %.772 = select i1 %.771, i64 %.134, i64 0
  %.773 = add i64 %.772, %arg.node.fr.i
  %.797.idx = shl i64 %.773, 6
  %.797 = getelementptr i8, ptr %.140, i64 %.797.idx
  %.798 = load i64, ptr %.797, align 8
  %.800 = icmp eq i64 %.459, 0
  %.809 = icmp eq i64 %count.6.1, 0
  %or.cond1038 = select i1 %.800, i1 %.809, i1 false
  %spec.select = and i1 %.814179, %or.cond1038
  %25 = and i64 %.798, -3
  %or.cond.i.not = icmp eq i64 %25, 4
  br i1 %or.cond.i.not, label %B878, label %B978

B1712.if:                                         ; preds = %B1712.if, %B1712.if.preheader.new
  %.1636.0189 = phi i64 [ 0, %B1712.if.preheader.new ], [ %.1705.1, %B1712.if ]
  %niter = phi i64 [ 0, %B1712.if.preheader.new ], [ %niter.next.1, %B1712.if ]
  %.1705 = or i64 %.1636.0189, 1
  %26 = getelementptr i64, ptr %.268, i64 %.1636.0189
  %.1759 = load i64, ptr %26, align 8
  %.1761 = add nsw i64 %.1636.0189, %.50.i
  %.1775 = icmp slt i64 %.1761, 0
  %.1776 = select i1 %.1775, i64 %.83.i1134, i64 0
  %27 = getelementptr i64, ptr %.158694.ph, i64 %.1761
  %.1790 = getelementptr i64, ptr %27, i64 %.1776
  store i64 %.1759, ptr %.1790, align 8
  %.1705.1 = add nuw nsw i64 %.1636.0189, 2
  %28 = getelementptr i64, ptr %.268, i64 %.1705
  %.1759.1 = load i64, ptr %28, align 8
  %.1761.1 = add nsw i64 %.1705, %.50.i
  %.1775.1 = icmp slt i64 %.1761.1, 0
  %.1776.1 = select i1 %.1775.1, i64 %.83.i1134, i64 0
  %29 = getelementptr i64, ptr %.158694.ph, i64 %.1761.1
  %.1790.1 = getelementptr i64, ptr %29, i64 %.1776.1
  store i64 %.1759.1, ptr %.1790.1, align 8
  %niter.next.1 = add i64 %niter, 2
  %niter.ncmp.1 = icmp eq i64 %niter.next.1, %unroll_iter
  br i1 %niter.ncmp.1, label %B1746.loopexit.unr-lcssa, label %B1712.if
}

define internal fastcc void @leaves.unsplit(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.leaf) unnamed_addr {
entry:
  %.539 = alloca i64, align 8
  %.24 = getelementptr i8, ptr %arg.m.4, i64 24
  %.25 = load i64, ptr %.24, align 8
  %.27 = getelementptr i8, ptr %arg.m.4, i64 40
  %.28 = load i64, ptr %.27, align 8
  %.34 = inttoptr i64 %.25 to ptr
  %.62 = getelementptr i8, ptr %arg.m.4, i64 288
  %.63 = load i64, ptr %.62, align 8
  %.65 = getelementptr i8, ptr %arg.m.4, i64 304
  %.66 = load i64, ptr %.65, align 8
  %.72 = inttoptr i64 %.63 to ptr
  %.100 = getelementptr i8, ptr %arg.m.4, i64 48
  %.101 = load i64, ptr %.100, align 8
  %.110 = inttoptr i64 %.101 to ptr
  %.150 = load i64, ptr %arg.m.4, align 8
  %.152 = getelementptr i8, ptr %arg.m.4, i64 16
  %.153 = load i64, ptr %.152, align 8
  %.159 = inttoptr i64 %.150 to ptr
  %.140 = shl i64 %arg.leaf, 3
  %.230 = and i64 %.140, 34359738360
  %.234 = getelementptr i64, ptr %.110, i64 %.230
  %.235 = load i64, ptr %.234, align 8
  %.261 = icmp slt i64 %.235, 0
  %.262 = select i1 %.261, i64 %.153, i64 0
  %.263 = add i64 %.262, %.235
  %.idx = shl i64 %.263, 6
  %0 = getelementptr i8, ptr %.159, i64 %.idx
  %.287 = getelementptr i8, ptr %0, i64 8
  %.288 = load i64, ptr %.287, align 8
  %.340 = getelementptr i8, ptr %.234, i64 8
  %.341 = load i64, ptr %.340, align 8
  %.362 = icmp slt i64 %.288, 0
  %.363 = select i1 %.362, i64 %.28, i64 0
  %1 = getelementptr i64, ptr %.34, i64 %.288
  %.377 = getelementptr i64, ptr %1, i64 %.363
  %.378 = load i64, ptr %.377, align 8
  %.4602.not = icmp slt i64 %.378, 1
  br i1 %.4602.not, label %B468, label %B306.if.lr.ph

B306.if.lr.ph:                                    ; preds = %entry
  %.503 = add nsw i64 %.288, 2
  %.590 = add nsw i64 %.288, 1
  br label %B306.if

common.ret:                                       ; preds = %B306.if, %B408.i, %B284.i
  %storemerge319 = phi i64 [ %kept.3.2.i, %B408.i ], [ 0, %B284.i ], [ -3, %B306.if ]
  store i64 %storemerge319, ptr %retptr, align 8
  ret void

B414:                                             ; preds = %B306.if
  %.473 = add nuw nsw i64 %.402.04, 1
  %.593 = add nsw i64 %.590, %.505
  %.607 = icmp slt i64 %.593, 0
  %.608 = select i1 %.607, i64 %.28, i64 0
  %2 = getelementptr i64, ptr %.34, i64 %.593
  %.622 = getelementptr i64, ptr %2, i64 %.608
  %.623 = load i64, ptr %.622, align 8
  %.624 = shl i64 %.623, 32
  %.626 = or i64 %.624, %.555
  %3 = getelementptr i64, ptr %.72, i64 %.402.04
  store i64 %.626, ptr %3, align 8
  %exitcond.not = icmp eq i64 %.473, %.378
  br i1 %exitcond.not, label %B468.loopexit, label %B306.if

B468.loopexit:                                    ; preds = %B414
  %.702.pre = load i64, ptr %.377, align 8
  br label %B468

B468:                                             ; preds = %B468.loopexit, %entry
  %.702 = phi i64 [ %.702.pre, %B468.loopexit ], [ %.378, %entry ]
  %.43.i = sdiv i64 %.702, 9
  %.44.i = srem i64 %.702, 9
  %.44.lobit.i = ashr i64 %.44.i, 63
  %.32.0.i = add nsw i64 %.44.lobit.i, %.43.i
  %.65.i = icmp sgt i64 %.32.0.i, 1
  br i1 %.65.i, label %B26.i, label %B72.i.preheader

B26.i:                                            ; preds = %B468, %B26.i
  %gap.3.0.i = phi i64 [ %.69.i, %B26.i ], [ 1, %B468 ]
  %.68.i = mul nsw i64 %gap.3.0.i, 3
  %.69.i = add nsw i64 %.68.i, 1
  %.115.i = icmp slt i64 %.69.i, %.32.0.i
  br i1 %.115.i, label %B26.i, label %B72.i.preheader

B72.i.preheader:                                  ; preds = %B26.i, %B468
  %gap.5.0.i.ph = phi i64 [ 1, %B468 ], [ %.69.i, %B26.i ]
  br label %B72.i

B72.i:                                            ; preds = %B72.i.preheader, %B262.else.if.i
  %gap.5.0.i = phi i64 [ %.538.i, %B262.else.if.i ], [ %gap.5.0.i.ph, %B72.i.preheader ]
  %.169.i = sub i64 %.702, %gap.5.0.i
  %.2143.not.i = icmp slt i64 %.169.i, 1
  br i1 %.2143.not.i, label %B262.else.if.i, label %B104.if.i

B140.i:                                           ; preds = %B104.if.i
  %.305.i = sub nsw i64 %.156.04.i, %gap.5.0.i
  %.336.i = getelementptr i64, ptr %.72, i64 %.305.i
  %.337.i = load i64, ptr %.336.i, align 8, !noalias !297
  %.339.i = icmp sgt i64 %.337.i, %.281.i
  br i1 %.339.i, label %B170.i, label %B250.i

B170.i:                                           ; preds = %B140.i, %B220.i
  %j.2.3.i = phi i64 [ %.346.i, %B220.i ], [ %.156.04.i, %B140.i ]
  %.346.i = sub nsw i64 %j.2.3.i, %gap.5.0.i
  %.360.i = icmp slt i64 %.346.i, 0
  %.361.i = select i1 %.360.i, i64 %.66, i64 0
  %4 = getelementptr i64, ptr %.72, i64 %.346.i
  %.375.i = getelementptr i64, ptr %4, i64 %.361.i
  %.376.i = load i64, ptr %.375.i, align 8, !noalias !297
  %.406.i = getelementptr i64, ptr %.72, i64 %j.2.3.i
  store i64 %.376.i, ptr %.406.i, align 8, !noalias !297
  %.421.not.i = icmp slt i64 %.346.i, %gap.5.0.i
  br i1 %.421.not.i, label %B250.i, label %B220.i

B220.i:                                           ; preds = %B170.i
  %.431.i = sub nsw i64 %.346.i, %gap.5.0.i
  %.462.i = getelementptr i64, ptr %.72, i64 %.431.i
  %.463.i = load i64, ptr %.462.i, align 8, !noalias !297
  %.465.i = icmp sgt i64 %.463.i, %.281.i
  br i1 %.465.i, label %B170.i, label %B250.i

B250.i:                                           ; preds = %B220.i, %B170.i, %B104.if.i, %B140.i
  %.494.pre-phi.i = phi i64 [ %.266.i, %B104.if.i ], [ %.266.i, %B140.i ], [ %.361.i, %B170.i ], [ %.361.i, %B220.i ]
  %j.3.2.i = phi i64 [ %.156.04.i, %B104.if.i ], [ %.156.04.i, %B140.i ], [ %.346.i, %B170.i ], [ %.346.i, %B220.i ]
  %5 = getelementptr i64, ptr %.72, i64 %j.3.2.i
  %.508.i = getelementptr i64, ptr %5, i64 %.494.pre-phi.i
  store i64 %.281.i, ptr %.508.i, align 8, !noalias !297
  %.214.i = icmp sgt i64 %.159.05.i, 1
  br i1 %.214.i, label %B104.if.i, label %B262.else.if.i

B284.i:                                           ; preds = %B262.else.if.i
  %.6566.not.i = icmp slt i64 %.702, 1
  br i1 %.6566.not.i, label %common.ret, label %B318.if.i

B334.i:                                           ; preds = %B318.if.i
  %.750.inv.i = icmp sgt i64 %kept.2.09.i, 0
  %.751.i = select i1 %.750.inv.i, i64 0, i64 %.66
  %6 = getelementptr i64, ptr %.72, i64 %kept.2.09.i
  %7 = getelementptr i8, ptr %6, i64 -8
  %.765.i = getelementptr i64, ptr %7, i64 %.751.i
  %.766.i = load i64, ptr %.765.i, align 8, !noalias !297
  %.767.not.i = icmp eq i64 %.799.pre.i, %.766.i
  br i1 %.767.not.i, label %B408.i, label %B376.i

B376.i:                                           ; preds = %B318.if.i, %B334.i
  %.816.i = icmp slt i64 %kept.2.09.i, 0
  %.817.i = select i1 %.816.i, i64 %.66, i64 0
  %8 = getelementptr i64, ptr %.72, i64 %kept.2.09.i
  %.831.i = getelementptr i64, ptr %8, i64 %.817.i
  store i64 %.799.pre.i, ptr %.831.i, align 8, !noalias !297
  %.834.i = add nsw i64 %kept.2.09.i, 1
  br label %B408.i

B408.i:                                           ; preds = %B376.i, %B334.i
  %kept.3.2.i = phi i64 [ %.834.i, %B376.i ], [ %kept.2.09.i, %B334.i ]
  %exitcond.not.i = icmp eq i64 %.702, %.669.i
  br i1 %exitcond.not.i, label %common.ret, label %B318.if.i

B104.if.i:                                        ; preds = %B72.i, %B250.i
  %.159.05.i = phi i64 [ %.223.i, %B250.i ], [ %.169.i, %B72.i ]
  %.156.04.i = phi i64 [ %.227.i, %B250.i ], [ %gap.5.0.i, %B72.i ]
  %.223.i = add nsw i64 %.159.05.i, -1
  %.227.i = add i64 %.156.04.i, 1
  %.265.i = icmp slt i64 %.156.04.i, 0
  %.266.i = select i1 %.265.i, i64 %.66, i64 0
  %9 = getelementptr i64, ptr %.72, i64 %.156.04.i
  %.280.i = getelementptr i64, ptr %9, i64 %.266.i
  %.281.i = load i64, ptr %.280.i, align 8, !noalias !297
  %.294.not.i = icmp slt i64 %.156.04.i, %gap.5.0.i
  br i1 %.294.not.i, label %B250.i, label %B140.i

B262.else.if.i:                                   ; preds = %B250.i, %B72.i
  %.538.i = udiv i64 %gap.5.0.i, 3
  %.562.not.i = icmp ult i64 %gap.5.0.i, 3
  br i1 %.562.not.i, label %B284.i, label %B72.i

B318.if.i:                                        ; preds = %B284.i, %B408.i
  %kept.2.09.i = phi i64 [ %kept.3.2.i, %B408.i ], [ 0, %B284.i ]
  %.600.07.i = phi i64 [ %.669.i, %B408.i ], [ 0, %B284.i ]
  %.669.i = add nuw nsw i64 %.600.07.i, 1
  %.698.i = icmp eq i64 %kept.2.09.i, 0
  %.phi.trans.insert.i = getelementptr i64, ptr %.72, i64 %.600.07.i
  %.799.pre.i = load i64, ptr %.phi.trans.insert.i, align 8, !noalias !297
  br i1 %.698.i, label %B376.i, label %B334.i

B306.if:                                          ; preds = %B306.if.lr.ph, %B414
  %.402.04 = phi i64 [ 0, %B306.if.lr.ph ], [ %.473, %B414 ]
  %.505 = shl nuw nsw i64 %.402.04, 1
  %.506 = add nsw i64 %.503, %.505
  %.520 = icmp slt i64 %.506, 0
  %.521 = select i1 %.520, i64 %.28, i64 0
  %10 = getelementptr i64, ptr %.34, i64 %.506
  %.535 = getelementptr i64, ptr %10, i64 %.521
  %.536 = load i64, ptr %.535, align 8
  store i64 0, ptr %.539, align 8
  call fastcc void @terms.push(ptr %.539, ptr nonnull %arg.m.4, i64 %.536, i64 %.341)
  %.555 = load i64, ptr %.539, align 8
  %.569 = icmp eq i64 %.555, -3
  br i1 %.569, label %common.ret, label %B414
}

define internal fastcc void @states.state_of_leaves(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.table, i64 %arg.at, i64 %arg.count, i64 %arg.accepting) unnamed_addr {
entry:
  %.35 = getelementptr i8, ptr %arg.m.4, i64 120
  %.36 = load i64, ptr %.35, align 8
  %.38 = getelementptr i8, ptr %arg.m.4, i64 136
  %.39 = load i64, ptr %.38, align 8
  %.45 = inttoptr i64 %.36 to ptr
  %.77 = getelementptr i8, ptr %arg.m.4, i64 144
  %.78 = load i64, ptr %.77, align 8
  %.80 = getelementptr i8, ptr %arg.m.4, i64 160
  %.81 = load i64, ptr %.80, align 8
  %.87 = inttoptr i64 %.78 to ptr
  %.115 = getelementptr i8, ptr %arg.m.4, i64 96
  %.116 = load i64, ptr %.115, align 8
  %.118 = getelementptr i8, ptr %arg.m.4, i64 112
  %.119 = load i64, ptr %.118, align 8
  %.125 = inttoptr i64 %.116 to ptr
  %.163 = getelementptr i64, ptr %arg.m.4, i64 %arg.table
  %.164 = load i64, ptr %.163, align 8
  %.166 = getelementptr i8, ptr %.163, i64 16
  %.167 = load i64, ptr %.166, align 8
  %.173 = inttoptr i64 %.164 to ptr
  %.20.i = shl nsw i64 %arg.count, 1
  %.21.i = or i64 %.20.i, %arg.accepting
  %.1061.not.i = icmp sgt i64 %arg.count, 0
  br i1 %.1061.not.i, label %B76.if.i.preheader, label %states.hash_leaves.exit

B76.if.i.preheader:                               ; preds = %entry
  %xtraiter = and i64 %arg.count, 1
  %0 = icmp eq i64 %arg.count, 1
  br i1 %0, label %B76.if.i.epil.preheader, label %B76.if.i.preheader.new

B76.if.i.preheader.new:                           ; preds = %B76.if.i.preheader
  %unroll_iter = and i64 %arg.count, 9223372036854775806
  br label %B76.if.i

B76.if.i:                                         ; preds = %B76.if.i, %B76.if.i.preheader.new
  %h.2.04.i = phi i64 [ %.21.i, %B76.if.i.preheader.new ], [ %.9.i.i.1, %B76.if.i ]
  %.48.03.i = phi i64 [ 0, %B76.if.i.preheader.new ], [ %.119.i.1, %B76.if.i ]
  %niter = phi i64 [ 0, %B76.if.i.preheader.new ], [ %niter.next.1, %B76.if.i ]
  %.119.i = or i64 %.48.03.i, 1
  %.146.i = add nsw i64 %.48.03.i, %arg.at
  %.160.i = icmp slt i64 %.146.i, 0
  %.161.i = select i1 %.160.i, i64 %.167, i64 0
  %1 = getelementptr i64, ptr %.173, i64 %.146.i
  %.175.i = getelementptr i64, ptr %1, i64 %.161.i
  %.176.i = load i64, ptr %.175.i, align 8, !noalias !300
  %.178.i = xor i64 %.176.i, %h.2.04.i
  %.5.i.i = lshr i64 %.178.i, 31
  %.6.i.i = xor i64 %.5.i.i, %.178.i
  %.7.i.i = mul i64 %.6.i.i, -7046029254386353131
  %.8.i.i = lshr i64 %.7.i.i, 29
  %.119.i.1 = add nuw nsw i64 %.48.03.i, 2
  %.146.i.1 = add nsw i64 %.119.i, %arg.at
  %.160.i.1 = icmp slt i64 %.146.i.1, 0
  %.161.i.1 = select i1 %.160.i.1, i64 %.167, i64 0
  %2 = getelementptr i64, ptr %.173, i64 %.146.i.1
  %.175.i.1 = getelementptr i64, ptr %2, i64 %.161.i.1
  %.176.i.1 = load i64, ptr %.175.i.1, align 8, !noalias !300
  %3 = xor i64 %.8.i.i, %.176.i.1
  %.178.i.1 = xor i64 %3, %.7.i.i
  %.5.i.i.1 = lshr i64 %.178.i.1, 31
  %.6.i.i.1 = xor i64 %.5.i.i.1, %.178.i.1
  %.7.i.i.1 = mul i64 %.6.i.i.1, -7046029254386353131
  %.8.i.i.1 = lshr i64 %.7.i.i.1, 29
  %.9.i.i.1 = xor i64 %.8.i.i.1, %.7.i.i.1
  %niter.next.1 = add i64 %niter, 2
  %niter.ncmp.1 = icmp eq i64 %niter.next.1, %unroll_iter
  br i1 %niter.ncmp.1, label %B8.i.loopexit.unr-lcssa, label %B76.if.i

states.hash_leaves.exit:                          ; preds = %entry
  %.22.not.i = icmp eq i64 %arg.count, 0
  br i1 %.22.not.i, label %states.near_leaves.exit, label %B8.i

B8.i.loopexit.unr-lcssa:                          ; preds = %B76.if.i
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B8.i, label %B76.if.i.epil.preheader

B76.if.i.epil.preheader:                          ; preds = %B8.i.loopexit.unr-lcssa, %B76.if.i.preheader
  %h.2.04.i.epil.init = phi i64 [ %.21.i, %B76.if.i.preheader ], [ %.9.i.i.1, %B8.i.loopexit.unr-lcssa ]
  %.48.03.i.epil.init = phi i64 [ 0, %B76.if.i.preheader ], [ %.119.i.1, %B8.i.loopexit.unr-lcssa ]
  %lcmp.mod4 = icmp ne i64 %xtraiter, 0
  tail call void @llvm.assume(i1 %lcmp.mod4)
  %.146.i.epil = add nsw i64 %.48.03.i.epil.init, %arg.at
  %.160.i.epil = icmp slt i64 %.146.i.epil, 0
  %.161.i.epil = select i1 %.160.i.epil, i64 %.167, i64 0
  %4 = getelementptr i64, ptr %.173, i64 %.146.i.epil
  %.175.i.epil = getelementptr i64, ptr %4, i64 %.161.i.epil
  %.176.i.epil = load i64, ptr %.175.i.epil, align 8, !noalias !300
  %.178.i.epil = xor i64 %.176.i.epil, %h.2.04.i.epil.init
  %.5.i.i.epil = lshr i64 %.178.i.epil, 31
  %.6.i.i.epil = xor i64 %.5.i.i.epil, %.178.i.epil
  %.7.i.i.epil = mul i64 %.6.i.i.epil, -7046029254386353131
  %.8.i.i.epil = lshr i64 %.7.i.i.epil, 29
  %.9.i.i.epil = xor i64 %.8.i.i.epil, %.7.i.i.epil
  br label %B8.i

B8.i:                                             ; preds = %B76.if.i.epil.preheader, %B8.i.loopexit.unr-lcssa, %states.hash_leaves.exit
  %h.2.0.lcssa.i3 = phi i64 [ %.21.i, %states.hash_leaves.exit ], [ %.9.i.i.1, %B8.i.loopexit.unr-lcssa ], [ %.9.i.i.epil, %B76.if.i.epil.preheader ]
  %.38.i = icmp slt i64 %arg.at, 0
  %.39.i = select i1 %.38.i, i64 %.167, i64 0
  %5 = getelementptr i64, ptr %.173, i64 %arg.at
  %.53.i = getelementptr i64, ptr %5, i64 %.39.i
  %.54.i = load i64, ptr %.53.i, align 8, !noalias !303
  %.59.i = and i64 %.54.i, 4294967295
  br label %states.near_leaves.exit

states.near_leaves.exit:                          ; preds = %states.hash_leaves.exit, %B8.i
  %.22.not.i6 = phi i64 [ -2, %B8.i ], [ -1, %states.hash_leaves.exit ]
  %h.2.0.lcssa.i4 = phi i64 [ %h.2.0.lcssa.i3, %B8.i ], [ %.21.i, %states.hash_leaves.exit ]
  %"$phi58.0.2.0.i" = phi i64 [ %.59.i, %B8.i ], [ 0, %states.hash_leaves.exit ]
  %.73.i = and i64 %h.2.0.lcssa.i4, 7
  %.77.i = add nuw nsw i64 %"$phi58.0.2.0.i", %.73.i
  %.52.i = add nsw i64 %.81, -1
  %.55.i = and i64 %.77.i, %.52.i
  %6 = getelementptr i32, ptr %.87, i64 %.55.i
  %.366 = load i32, ptr %6, align 4
  %.368.not = icmp eq i32 %.366, 0
  br i1 %.368.not, label %B690, label %B356.preheader

B356.preheader:                                   ; preds = %states.near_leaves.exit
  %spec.select13 = tail call i64 @llvm.smax.i64(i64 %arg.count, i64 0)
  %.25.i = lshr i64 %h.2.0.lcssa.i4, 32
  %.27.i = and i64 %h.2.0.lcssa.i4, 268435454
  %.30.i = or i64 %.27.i, 1
  br label %B356

B356:                                             ; preds = %B356.preheader, %B620
  %.405 = phi i32 [ %.901, %B620 ], [ %.366, %B356.preheader ]
  %i.2.0 = phi i64 [ %.837, %B620 ], [ 0, %B356.preheader ]
  %.408 = sext i32 %.405 to i64
  %.409 = add nsw i64 %.408, -1
  %.440 = icmp slt i32 %.405, 1
  %.441 = select i1 %.440, i64 %.39, i64 0
  %.442 = add i64 %.409, %.441
  %.idx = shl i64 %.442, 6
  %7 = getelementptr i8, ptr %.45, i64 %.idx
  %.466 = getelementptr i8, ptr %7, i64 24
  %.467 = load i64, ptr %.466, align 8
  %.469 = icmp eq i64 %.467, %arg.count
  br i1 %.469, label %B442, label %B620

B442:                                             ; preds = %B356
  %.524 = getelementptr i8, ptr %7, i64 32
  %.525 = load i64, ptr %.524, align 8
  %.526 = and i64 %.525, 1
  %.528 = icmp eq i64 %.526, %arg.accepting
  br i1 %.528, label %B486, label %B620

B486:                                             ; preds = %B442
  %.583 = getelementptr i8, ptr %7, i64 16
  %.584 = load i64, ptr %.583, align 8
  br label %B550

B550:                                             ; preds = %B486, %B550.if
  %.615.0 = phi i64 [ 0, %B486 ], [ %.688, %B550.if ]
  %exitcond = icmp eq i64 %.615.0, %spec.select13
  br i1 %exitcond, label %common.ret, label %B550.if

common.ret:                                       ; preds = %B550, %B1332, %B778
  %.1329.sink = phi i64 [ %.1329, %B1332 ], [ -3, %B778 ], [ %.409, %B550 ]
  store i64 %.1329.sink, ptr %retptr, align 8
  ret void

B620:                                             ; preds = %B550.if, %B442, %B356
  %.837 = add nuw nsw i64 %i.2.0, 1
  %.22.i = icmp ugt i64 %i.2.0, 6
  %spec.select25 = select i1 %.22.i, i64 %.25.i, i64 %.77.i
  %.32.i = select i1 %.22.i, i64 %.30.i, i64 1
  %spec.select26 = mul nuw nsw i64 %.837, %.32.i
  %.46.i = add nuw nsw i64 %spec.select26, %spec.select25
  %.55.i957 = and i64 %.46.i, %.52.i
  %8 = getelementptr i32, ptr %.87, i64 %.55.i957
  %.901 = load i32, ptr %8, align 4
  %.903.not = icmp eq i32 %.901, 0
  br i1 %.903.not, label %B690, label %B356

B690:                                             ; preds = %B620, %states.near_leaves.exit
  %slot.3.1 = phi i64 [ %.55.i, %states.near_leaves.exit ], [ %.55.i957, %B620 ]
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 128
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !306
  %.84.not.not.i = icmp slt i64 %.50.i, %.39
  br i1 %.84.not.not.i, label %B734, label %B778

B734:                                             ; preds = %B690
  %.49.i958 = getelementptr i8, ptr %arg.m.4, i64 104
  %.50.i959 = load i64, ptr %.49.i958, align 8, !noalias !309
  %.51.i = add nsw i64 %.50.i959, %arg.count
  %.84.not.i = icmp sgt i64 %.51.i, %.119
  br i1 %.84.not.i, label %B778, label %B792

B778:                                             ; preds = %B734, %B690
  %.sink = phi i64 [ 15, %B690 ], [ 12, %B734 ]
  %.122.i964 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 %.sink, ptr %.122.i964, align 8, !noalias !285
  br label %common.ret

B792:                                             ; preds = %B734
  %.1024.not = icmp eq i64 %arg.table, 12
  br i1 %.1024.not, label %B952, label %B818

B818:                                             ; preds = %B792
  br i1 %.1061.not.i, label %B880.if.preheader, label %B920

B880.if.preheader:                                ; preds = %B818
  %xtraiter5 = and i64 %arg.count, 1
  %9 = icmp eq i64 %arg.count, 1
  br i1 %9, label %B880.if.epil.preheader, label %B880.if.preheader.new

B880.if.preheader.new:                            ; preds = %B880.if.preheader
  %unroll_iter8 = and i64 %arg.count, 9223372036854775806
  br label %B880.if

B920.loopexit.unr-lcssa:                          ; preds = %B880.if
  %lcmp.mod6.not = icmp eq i64 %xtraiter5, 0
  br i1 %lcmp.mod6.not, label %B920.loopexit, label %B880.if.epil.preheader

B880.if.epil.preheader:                           ; preds = %B920.loopexit.unr-lcssa, %B880.if.preheader
  %.1088.019.epil.init = phi i64 [ 0, %B880.if.preheader ], [ %.1157.1, %B920.loopexit.unr-lcssa ]
  %lcmp.mod7 = icmp ne i64 %xtraiter5, 0
  tail call void @llvm.assume(i1 %lcmp.mod7)
  %.1183.epil = add nsw i64 %.1088.019.epil.init, %arg.at
  %.1197.epil = icmp slt i64 %.1183.epil, 0
  %.1198.epil = select i1 %.1197.epil, i64 %.167, i64 0
  %10 = getelementptr i64, ptr %.173, i64 %.1183.epil
  %.1212.epil = getelementptr i64, ptr %10, i64 %.1198.epil
  %.1213.epil = load i64, ptr %.1212.epil, align 8
  %.1215.epil = add nsw i64 %.1088.019.epil.init, %.50.i959
  %.1229.epil = icmp slt i64 %.1215.epil, 0
  %.1230.epil = select i1 %.1229.epil, i64 %.119, i64 0
  %11 = getelementptr i64, ptr %.125, i64 %.1215.epil
  %.1244.epil = getelementptr i64, ptr %11, i64 %.1230.epil
  store i64 %.1213.epil, ptr %.1244.epil, align 8
  br label %B920.loopexit

B920.loopexit:                                    ; preds = %B920.loopexit.unr-lcssa, %B880.if.epil.preheader
  %.1329.pre.pre = load i64, ptr %.49.i, align 8
  br label %B920

B920:                                             ; preds = %B920.loopexit, %B818
  %.1329.pre = phi i64 [ %.1329.pre.pre, %B920.loopexit ], [ %.50.i, %B818 ]
  store i64 %.51.i, ptr %.49.i958, align 8
  br label %B952

B952:                                             ; preds = %B792, %B920
  %.1329 = phi i64 [ %.1329.pre, %B920 ], [ %.50.i, %B792 ]
  %start.2.0 = phi i64 [ %.50.i959, %B920 ], [ %arg.at, %B792 ]
  %.1341 = getelementptr i8, ptr %arg.m.4, i64 216
  %.1342 = load i64, ptr %.1341, align 8
  %.1351 = inttoptr i64 %.1342 to ptr
  %.145721.not = icmp slt i64 %arg.count, 1
  br i1 %.145721.not, label %B1206, label %B1086.if.preheader

B1086.if.preheader:                               ; preds = %B952
  %xtraiter10 = and i64 %arg.count, 1
  %12 = icmp eq i64 %arg.count, 1
  br i1 %12, label %B1086.if.epil.preheader, label %B1086.if.preheader.new

B1086.if.preheader.new:                           ; preds = %B1086.if.preheader
  %unroll_iter14 = and i64 %arg.count, 9223372036854775806
  br label %B1086.if

B1140:                                            ; preds = %B1086.if
  %.1572 = getelementptr i64, ptr %.1351, i64 %.1531
  %.1573 = load i64, ptr %.1572, align 8
  %.1576.not = icmp eq i64 %.1573, 0
  %spec.select = select i1 %.1576.not, i64 %marked.2.024, i64 2
  br label %B1204

B1204:                                            ; preds = %B1140, %B1086.if
  %marked.3.1 = phi i64 [ %marked.2.024, %B1086.if ], [ %spec.select, %B1140 ]
  %.1470.1 = add nuw nsw i64 %.1401.022, 2
  %.1500.1 = add nsw i64 %.1470, %start.2.0
  %.1514.1 = icmp slt i64 %.1500.1, 0
  %.1515.1 = select i1 %.1514.1, i64 %.119, i64 0
  %13 = getelementptr i64, ptr %.125, i64 %.1500.1
  %.1529.1 = getelementptr i64, ptr %13, i64 %.1515.1
  %.1530.1 = load i64, ptr %.1529.1, align 8
  %.1531.1 = and i64 %.1530.1, 4294967295
  %.1536.not.1 = icmp eq i64 %.1531.1, 0
  br i1 %.1536.not.1, label %B1204.1, label %B1140.1

B1140.1:                                          ; preds = %B1204
  %.1572.1 = getelementptr i64, ptr %.1351, i64 %.1531.1
  %.1573.1 = load i64, ptr %.1572.1, align 8
  %.1576.not.1 = icmp eq i64 %.1573.1, 0
  %spec.select.1 = select i1 %.1576.not.1, i64 %marked.3.1, i64 2
  br label %B1204.1

B1204.1:                                          ; preds = %B1140.1, %B1204
  %marked.3.1.1 = phi i64 [ %marked.3.1, %B1204 ], [ %spec.select.1, %B1140.1 ]
  %niter15.next.1 = add i64 %niter15, 2
  %niter15.ncmp.1 = icmp eq i64 %niter15.next.1, %unroll_iter14
  br i1 %niter15.ncmp.1, label %B1206.loopexit.unr-lcssa, label %B1086.if

B1206.loopexit.unr-lcssa:                         ; preds = %B1204.1
  %lcmp.mod11.not = icmp eq i64 %xtraiter10, 0
  br i1 %lcmp.mod11.not, label %B1206.loopexit, label %B1086.if.epil.preheader

B1086.if.epil.preheader:                          ; preds = %B1206.loopexit.unr-lcssa, %B1086.if.preheader
  %marked.2.024.epil.init = phi i64 [ 0, %B1086.if.preheader ], [ %marked.3.1.1, %B1206.loopexit.unr-lcssa ]
  %.1401.022.epil.init = phi i64 [ 0, %B1086.if.preheader ], [ %.1470.1, %B1206.loopexit.unr-lcssa ]
  %lcmp.mod13 = icmp ne i64 %xtraiter10, 0
  tail call void @llvm.assume(i1 %lcmp.mod13)
  %.1500.epil = add nsw i64 %.1401.022.epil.init, %start.2.0
  %.1514.epil = icmp slt i64 %.1500.epil, 0
  %.1515.epil = select i1 %.1514.epil, i64 %.119, i64 0
  %14 = getelementptr i64, ptr %.125, i64 %.1500.epil
  %.1529.epil = getelementptr i64, ptr %14, i64 %.1515.epil
  %.1530.epil = load i64, ptr %.1529.epil, align 8
  %.1531.epil = and i64 %.1530.epil, 4294967295
  %.1536.not.epil = icmp eq i64 %.1531.epil, 0
  br i1 %.1536.not.epil, label %B1206.loopexit, label %B1140.epil

B1140.epil:                                       ; preds = %B1086.if.epil.preheader
  %.1572.epil = getelementptr i64, ptr %.1351, i64 %.1531.epil
  %.1573.epil = load i64, ptr %.1572.epil, align 8
  %.1576.not.epil = icmp eq i64 %.1573.epil, 0
  %spec.select.epil = select i1 %.1576.not.epil, i64 %marked.2.024.epil.init, i64 2
  br label %B1206.loopexit

B1206.loopexit:                                   ; preds = %B1086.if.epil.preheader, %B1140.epil, %B1206.loopexit.unr-lcssa
  %marked.3.1.lcssa = phi i64 [ %marked.3.1.1, %B1206.loopexit.unr-lcssa ], [ %marked.2.024.epil.init, %B1086.if.epil.preheader ], [ %spec.select.epil, %B1140.epil ]
  %15 = or i64 %marked.3.1.lcssa, %arg.accepting
  br label %B1206

B1206:                                            ; preds = %B1206.loopexit, %B952
  %marked.2.0.lcssa = phi i64 [ %arg.accepting, %B952 ], [ %15, %B1206.loopexit ]
  %.1630 = icmp slt i64 %.1329, 0
  %.1631 = select i1 %.1630, i64 %.39, i64 0
  %.1632 = add i64 %.1631, %.1329
  %.idx16 = shl i64 %.1632, 6
  %16 = getelementptr i8, ptr %.45, i64 %.idx16
  %.1656 = getelementptr i8, ptr %16, i64 16
  store i64 %start.2.0, ptr %.1656, align 8
  %.1712 = getelementptr i8, ptr %16, i64 24
  store i64 %arg.count, ptr %.1712, align 8
  %.1767 = getelementptr i8, ptr %16, i64 32
  store i64 %marked.2.0.lcssa, ptr %.1767, align 8
  %.1770 = icmp eq i64 %arg.count, 1
  br i1 %.1770, label %B1298, label %B1332

B1298:                                            ; preds = %B1206
  %.1786 = icmp slt i64 %start.2.0, 0
  %.1787 = select i1 %.1786, i64 %.119, i64 0
  %17 = getelementptr i64, ptr %.125, i64 %start.2.0
  %.1801 = getelementptr i64, ptr %17, i64 %.1787
  %.1802 = load i64, ptr %.1801, align 8
  %.1807 = ashr i64 %.1802, 32
  br label %B1332

B1332:                                            ; preds = %B1206, %B1298
  %"$phi1332.0.2.0" = phi i64 [ %.1807, %B1298 ], [ -4, %B1206 ]
  store i64 %"$phi1332.0.2.0", ptr %16, align 8
  %.1943 = getelementptr i8, ptr %16, i64 8
  store i64 %.22.not.i6, ptr %.1943, align 8
  %.2000 = getelementptr i8, ptr %16, i64 40
  store i64 -1, ptr %.2000, align 8
  %.2055 = getelementptr i8, ptr %16, i64 56
  store i64 -1, ptr %.2055, align 8
  %.2110 = getelementptr i8, ptr %16, i64 48
  store i64 -2, ptr %.2110, align 8
  %.2115 = add nsw i64 %.1329, 1
  %18 = getelementptr i32, ptr %.87, i64 %slot.3.1
  %.2146 = trunc i64 %.2115 to i32
  store i32 %.2146, ptr %18, align 4
  store i64 %.2115, ptr %.49.i, align 8
  br label %common.ret

B550.if:                                          ; preds = %B550
  %.688 = add nuw i64 %.615.0, 1
  %.716 = add nsw i64 %.615.0, %.584
  %.730 = icmp slt i64 %.716, 0
  %.731 = select i1 %.730, i64 %.119, i64 0
  %19 = getelementptr i64, ptr %.125, i64 %.716
  %.745 = getelementptr i64, ptr %19, i64 %.731
  %.746 = load i64, ptr %.745, align 8
  %.748 = add nsw i64 %.615.0, %arg.at
  %.762 = icmp slt i64 %.748, 0
  %.763 = select i1 %.762, i64 %.167, i64 0
  %20 = getelementptr i64, ptr %.173, i64 %.748
  %.777 = getelementptr i64, ptr %20, i64 %.763
  %.778 = load i64, ptr %.777, align 8
  %.779.not = icmp eq i64 %.746, %.778
  br i1 %.779.not, label %B550, label %B620

B880.if:                                          ; preds = %B880.if, %B880.if.preheader.new
  %.1088.019 = phi i64 [ 0, %B880.if.preheader.new ], [ %.1157.1, %B880.if ]
  %niter9 = phi i64 [ 0, %B880.if.preheader.new ], [ %niter9.next.1, %B880.if ]
  %.1157 = or i64 %.1088.019, 1
  %.1183 = add nsw i64 %.1088.019, %arg.at
  %.1197 = icmp slt i64 %.1183, 0
  %.1198 = select i1 %.1197, i64 %.167, i64 0
  %21 = getelementptr i64, ptr %.173, i64 %.1183
  %.1212 = getelementptr i64, ptr %21, i64 %.1198
  %.1213 = load i64, ptr %.1212, align 8
  %.1215 = add nsw i64 %.1088.019, %.50.i959
  %.1229 = icmp slt i64 %.1215, 0
  %.1230 = select i1 %.1229, i64 %.119, i64 0
  %22 = getelementptr i64, ptr %.125, i64 %.1215
  %.1244 = getelementptr i64, ptr %22, i64 %.1230
  store i64 %.1213, ptr %.1244, align 8
  %.1157.1 = add nuw nsw i64 %.1088.019, 2
  %.1183.1 = add nsw i64 %.1157, %arg.at
  %.1197.1 = icmp slt i64 %.1183.1, 0
  %.1198.1 = select i1 %.1197.1, i64 %.167, i64 0
  %23 = getelementptr i64, ptr %.173, i64 %.1183.1
  %.1212.1 = getelementptr i64, ptr %23, i64 %.1198.1
  %.1213.1 = load i64, ptr %.1212.1, align 8
  %.1215.1 = add nsw i64 %.1157, %.50.i959
  %.1229.1 = icmp slt i64 %.1215.1, 0
  %.1230.1 = select i1 %.1229.1, i64 %.119, i64 0
  %24 = getelementptr i64, ptr %.125, i64 %.1215.1
  %.1244.1 = getelementptr i64, ptr %24, i64 %.1230.1
  store i64 %.1213.1, ptr %.1244.1, align 8
  %niter9.next.1 = add i64 %niter9, 2
  %niter9.ncmp.1 = icmp eq i64 %niter9.next.1, %unroll_iter8
  br i1 %niter9.ncmp.1, label %B920.loopexit.unr-lcssa, label %B880.if

B1086.if:                                         ; preds = %B1204.1, %B1086.if.preheader.new
  %marked.2.024 = phi i64 [ 0, %B1086.if.preheader.new ], [ %marked.3.1.1, %B1204.1 ]
  %.1401.022 = phi i64 [ 0, %B1086.if.preheader.new ], [ %.1470.1, %B1204.1 ]
  %niter15 = phi i64 [ 0, %B1086.if.preheader.new ], [ %niter15.next.1, %B1204.1 ]
  %.1470 = or i64 %.1401.022, 1
  %.1500 = add nsw i64 %.1401.022, %start.2.0
  %.1514 = icmp slt i64 %.1500, 0
  %.1515 = select i1 %.1514, i64 %.119, i64 0
  %25 = getelementptr i64, ptr %.125, i64 %.1500
  %.1529 = getelementptr i64, ptr %25, i64 %.1515
  %.1530 = load i64, ptr %.1529, align 8
  %.1531 = and i64 %.1530, 4294967295
  %.1536.not = icmp eq i64 %.1531, 0
  br i1 %.1536.not, label %B1204, label %B1140
}

define internal fastcc void @leaves.width_of(ptr noalias nonnull writeonly %retptr, ptr readonly %arg.m.4, i64 %arg.node) unnamed_addr {
entry:
  %.27 = load i64, ptr %arg.m.4, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 16
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.90 = icmp slt i64 %arg.node, 0
  %.91 = select i1 %.90, i64 %.30, i64 0
  %.92 = add i64 %.91, %arg.node
  %.116.idx = shl i64 %.92, 6
  %.116 = getelementptr i8, ptr %.36, i64 %.116.idx
  %.117 = load i64, ptr %.116, align 8
  %.118 = icmp eq i64 %.117, 6
  br i1 %.118, label %B94, label %B250

B94:                                              ; preds = %entry
  %.173 = getelementptr i8, ptr %.116, i64 24
  %.174 = load i64, ptr %.173, align 8
  %.203 = getelementptr i8, ptr %arg.m.4, i64 848
  %.204 = load i64, ptr %.203, align 8
  %.207.not = icmp slt i64 %.174, %.204
  br i1 %.207.not, label %B220, label %B154

B154:                                             ; preds = %B94
  %.264 = getelementptr i8, ptr %.116, i64 16
  %.265 = load i64, ptr %.264, align 8
  %.268.not = icmp eq i64 %.265, 0
  br i1 %.268.not, label %B220, label %common.ret

B220:                                             ; preds = %B154, %B94
  br label %common.ret

common.ret:                                       ; preds = %leaves.charset_of.exit, %B594.i, %B220, %B154, %B324
  %.465.sink = phi i64 [ %.465, %B324 ], [ 4294967296, %B154 ], [ 0, %B220 ], [ 0, %B594.i ], [ 0, %leaves.charset_of.exit ]
  store i64 %.465.sink, ptr %retptr, align 8
  ret void

B250:                                             ; preds = %entry
  %.62.i = getelementptr i8, ptr %arg.m.4, i64 24
  %.63.i = load i64, ptr %.62.i, align 8, !noalias !312
  %.65.i = getelementptr i8, ptr %arg.m.4, i64 40
  %.66.i = load i64, ptr %.65.i, align 8, !noalias !312
  %.72.i = inttoptr i64 %.63.i to ptr
  %.150.i = getelementptr i8, ptr %.116, i64 8
  %.151.i = load i64, ptr %.150.i, align 8, !noalias !312
  %.182.i = icmp slt i64 %.151.i, 0
  %.183.i = select i1 %.182.i, i64 %.30, i64 0
  %.184.i = add i64 %.183.i, %.151.i
  %.208.idx.i = shl i64 %.184.i, 6
  %.208.i = getelementptr i8, ptr %.36, i64 %.208.idx.i
  %.209.i = load i64, ptr %.208.i, align 8, !noalias !312
  %.210.i = icmp eq i64 %.209.i, 3
  br i1 %.210.i, label %B166.i, label %B594.i

B166.i:                                           ; preds = %B250
  %.375.i = getelementptr i8, ptr %.208.i, i64 16
  %.376.i = load i64, ptr %.375.i, align 8, !noalias !312
  %.4595.not.i = icmp slt i64 %.376.i, 1
  br i1 %.4595.not.i, label %B594.i, label %B282.if.preheader.i

B282.if.preheader.i:                              ; preds = %B166.i
  %.265.i = getelementptr i8, ptr %.208.i, i64 8
  %.266.i = load i64, ptr %.265.i, align 8, !noalias !312
  br label %B282.if.i

B348.i:                                           ; preds = %B282.if.i
  %.654.i = load i64, ptr %1, align 8, !noalias !312
  %.655.i = icmp eq i64 %.654.i, 3
  br i1 %.655.i, label %B396.i, label %B592.i

B396.i:                                           ; preds = %B348.i
  %.710.i = getelementptr i8, ptr %1, i64 8
  %.711.i = load i64, ptr %.710.i, align 8, !noalias !312
  %.822.i = getelementptr i8, ptr %1, i64 16
  %.823.i = load i64, ptr %.822.i, align 8, !noalias !312
  %spec.select2.i = tail call i64 @llvm.smax.i64(i64 %.823.i, i64 0)
  br label %B512.i

B512.i:                                           ; preds = %B512.if.i, %B396.i
  %.848.0.i = phi i64 [ %.711.i, %B396.i ], [ %.917.i, %B512.if.i ]
  %.851.0.i = phi i64 [ %spec.select2.i, %B396.i ], [ %.913.i, %B512.if.i ]
  %.904.i = icmp sgt i64 %.851.0.i, 0
  br i1 %.904.i, label %B512.if.i, label %B592.i

B592.i:                                           ; preds = %B512.i, %B348.i
  %.459.i = icmp sgt i64 %.404.07.i, 1
  br i1 %.459.i, label %B282.if.i, label %B594.i

B594.i:                                           ; preds = %B592.i, %B166.i, %B250
  %.1146.i = getelementptr i8, ptr %.208.i, i64 56
  %.1147.i = load i64, ptr %.1146.i, align 8, !noalias !312
  %.1150.i = icmp sgt i64 %.1147.i, -1
  br i1 %.1150.i, label %leaves.charset_of.exit, label %common.ret

B282.if.i:                                        ; preds = %B592.i, %B282.if.preheader.i
  %.404.07.i = phi i64 [ %.468.i, %B592.i ], [ %.376.i, %B282.if.preheader.i ]
  %.401.06.i = phi i64 [ %.472.i, %B592.i ], [ %.266.i, %B282.if.preheader.i ]
  %.468.i = add nsw i64 %.404.07.i, -1
  %.472.i = add i64 %.401.06.i, 1
  %.510.i = icmp slt i64 %.401.06.i, 0
  %.511.i = select i1 %.510.i, i64 %.66.i, i64 0
  %0 = getelementptr i64, ptr %.72.i, i64 %.401.06.i
  %.525.i = getelementptr i64, ptr %0, i64 %.511.i
  %.526.i = load i64, ptr %.525.i, align 8, !noalias !312
  %.557.i = icmp slt i64 %.526.i, 0
  %.558.i = select i1 %.557.i, i64 %.30, i64 0
  %.559.i = add i64 %.558.i, %.526.i
  %.idx3.i = shl i64 %.559.i, 6
  %1 = getelementptr i8, ptr %.36, i64 %.idx3.i
  %.583.i = getelementptr i8, ptr %1, i64 56
  %.584.i = load i64, ptr %.583.i, align 8, !noalias !312
  %.585.i = icmp sgt i64 %.584.i, -1
  br i1 %.585.i, label %leaves.charset_of.exit, label %B348.i

B512.if.i:                                        ; preds = %B512.i
  %.913.i = add nsw i64 %.851.0.i, -1
  %.917.i = add i64 %.848.0.i, 1
  %.959.i = icmp slt i64 %.848.0.i, 0
  %.960.i = select i1 %.959.i, i64 %.66.i, i64 0
  %2 = getelementptr i64, ptr %.72.i, i64 %.848.0.i
  %.974.i = getelementptr i64, ptr %2, i64 %.960.i
  %.975.i = load i64, ptr %.974.i, align 8, !noalias !312
  %.1002.i = icmp slt i64 %.975.i, 0
  %.1003.i = select i1 %.1002.i, i64 %.30, i64 0
  %.1004.i = add i64 %.1003.i, %.975.i
  %.idx495.i = shl i64 %.1004.i, 6
  %3 = getelementptr i8, ptr %.36, i64 %.idx495.i
  %.1028.i = getelementptr i8, ptr %3, i64 56
  %.1029.i = load i64, ptr %.1028.i, align 8, !noalias !312
  %.1030.i = icmp sgt i64 %.1029.i, -1
  br i1 %.1030.i, label %leaves.charset_of.exit, label %B512.i

leaves.charset_of.exit:                           ; preds = %B282.if.i, %B512.if.i, %B594.i
  %.151..sink.i = phi i64 [ %.151.i, %B594.i ], [ %.975.i, %B512.if.i ], [ %.526.i, %B282.if.i ]
  %.324 = icmp slt i64 %.151..sink.i, 0
  br i1 %.324, label %common.ret, label %B324

B324:                                             ; preds = %leaves.charset_of.exit
  %.idx = shl i64 %.151..sink.i, 6
  %4 = getelementptr i8, ptr %.36, i64 %.idx
  %.389 = getelementptr i8, ptr %4, i64 32
  %.390 = load i64, ptr %.389, align 8
  %.446 = getelementptr i8, ptr %.116, i64 24
  %.447 = load i64, ptr %.446, align 8
  %.450 = icmp eq i64 %.447, -1
  %. = select i1 %.450, i64 4294967296, i64 0
  %.465 = add nsw i64 %., %.390
  br label %common.ret
}

define internal fastcc void @terms.push(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.node, i64 %arg.rest) unnamed_addr {
entry:
  %.22 = icmp eq i64 %arg.node, 0
  br i1 %.22, label %common.ret, label %B30

common.ret:                                       ; preds = %B438, %B438.peel, %B438.peel22, %B438.peel53, %B438.peel84, %B438.peel115, %B438.peel146, %B438.peel177, %entry, %B922, %B638
  %.50.i.sink = phi i64 [ %.50.i, %B922 ], [ -3, %B638 ], [ %arg.rest, %entry ], [ %.302.peel169, %B438.peel177 ], [ %.302.peel, %B438.peel ], [ %.302.peel14, %B438.peel22 ], [ %.302.peel45, %B438.peel53 ], [ %.302.peel76, %B438.peel84 ], [ %.302.peel107, %B438.peel115 ], [ %.302.peel138, %B438.peel146 ], [ %.302, %B438 ]
  store i64 %.50.i.sink, ptr %retptr, align 8
  ret void

B30:                                              ; preds = %entry
  %.41 = getelementptr i8, ptr %arg.m.4, i64 48
  %.42 = load i64, ptr %.41, align 8
  %.44 = getelementptr i8, ptr %arg.m.4, i64 64
  %.45 = load i64, ptr %.44, align 8
  %.51 = inttoptr i64 %.42 to ptr
  %.83 = getelementptr i8, ptr %arg.m.4, i64 72
  %.84 = load i64, ptr %.83, align 8
  %.86 = getelementptr i8, ptr %arg.m.4, i64 88
  %.87 = load i64, ptr %.86, align 8
  %.93 = inttoptr i64 %.84 to ptr
  %.7.i = shl i64 %arg.node, 32
  %.8.i = or i64 %.7.i, %arg.rest
  %.5.i.i = lshr i64 %.8.i, 31
  %.6.i.i = xor i64 %.5.i.i, %.8.i
  %.7.i.i = mul i64 %.6.i.i, -7046029254386353131
  %.8.i.i = lshr i64 %.7.i.i, 29
  %.9.i.i = xor i64 %.8.i.i, %.7.i.i
  %.189 = shl nsw i64 %arg.rest, 1
  %.192 = and i64 %.9.i.i, 7
  %.193 = add nsw i64 %.192, %.189
  %.52.i = add nsw i64 %.87, -1
  %.55.i = and i64 %.52.i, %.193
  %.244 = icmp slt i64 %.55.i, 0
  %.245 = select i1 %.244, i64 %.87, i64 0
  %0 = getelementptr i32, ptr %.93, i64 %.55.i
  %.259 = getelementptr i32, ptr %0, i64 %.245
  %.260 = load i32, ptr %.259, align 4
  %.262.not = icmp eq i32 %.260, 0
  br i1 %.262.not, label %B550, label %B358.preheader

B358.preheader:                                   ; preds = %B30
  %.25.i = lshr i64 %.9.i.i, 32
  %.27.i = and i64 %.9.i.i, 268435454
  %.30.i = or i64 %.27.i, 1
  %.302.peel = sext i32 %.260 to i64
  %.333.peel = icmp slt i32 %.260, 0
  %.334.peel = select i1 %.333.peel, i64 %.45, i64 0
  %.335.peel = add i64 %.334.peel, %.302.peel
  %.359.idx.peel = shl i64 %.335.peel, 6
  %.359.peel = getelementptr i8, ptr %.51, i64 %.359.idx.peel
  %.360.peel = load i64, ptr %.359.peel, align 8
  %.362.peel = icmp eq i64 %.360.peel, %arg.node
  br i1 %.362.peel, label %B438.peel, label %B480.peel

B438.peel:                                        ; preds = %B358.preheader
  %.417.peel = getelementptr i8, ptr %.359.peel, i64 8
  %.418.peel = load i64, ptr %.417.peel, align 8
  %.420.peel = icmp eq i64 %.418.peel, %arg.rest
  br i1 %.420.peel, label %common.ret, label %B480.peel

B480.peel:                                        ; preds = %B438.peel, %B358.preheader
  %.46.i.peel = add nsw i64 %.193, 1
  %.55.i661.peel = and i64 %.46.i.peel, %.52.i
  %.496.peel = icmp slt i64 %.55.i661.peel, 0
  %.497.peel = select i1 %.496.peel, i64 %.87, i64 0
  %1 = getelementptr i32, ptr %.93, i64 %.55.i661.peel
  %.511.peel = getelementptr i32, ptr %1, i64 %.497.peel
  %.512.peel = load i32, ptr %.511.peel, align 4
  %.514.not.peel = icmp eq i32 %.512.peel, 0
  br i1 %.514.not.peel, label %B550, label %B358.peel.next

B358.peel.next:                                   ; preds = %B480.peel
  %.302.peel14 = sext i32 %.512.peel to i64
  %.333.peel15 = icmp slt i32 %.512.peel, 0
  %.334.peel16 = select i1 %.333.peel15, i64 %.45, i64 0
  %.335.peel17 = add i64 %.334.peel16, %.302.peel14
  %.359.idx.peel18 = shl i64 %.335.peel17, 6
  %.359.peel19 = getelementptr i8, ptr %.51, i64 %.359.idx.peel18
  %.360.peel20 = load i64, ptr %.359.peel19, align 8
  %.362.peel21 = icmp eq i64 %.360.peel20, %arg.node
  br i1 %.362.peel21, label %B438.peel22, label %B480.peel26

B438.peel22:                                      ; preds = %B358.peel.next
  %.417.peel23 = getelementptr i8, ptr %.359.peel19, i64 8
  %.418.peel24 = load i64, ptr %.417.peel23, align 8
  %.420.peel25 = icmp eq i64 %.418.peel24, %arg.rest
  br i1 %.420.peel25, label %common.ret, label %B480.peel26

B480.peel26:                                      ; preds = %B438.peel22, %B358.peel.next
  %.46.i.peel32 = add nsw i64 %.193, 2
  %.55.i661.peel33 = and i64 %.46.i.peel32, %.52.i
  %.496.peel34 = icmp slt i64 %.55.i661.peel33, 0
  %.497.peel35 = select i1 %.496.peel34, i64 %.87, i64 0
  %2 = getelementptr i32, ptr %.93, i64 %.55.i661.peel33
  %.511.peel36 = getelementptr i32, ptr %2, i64 %.497.peel35
  %.512.peel37 = load i32, ptr %.511.peel36, align 4
  %.514.not.peel38 = icmp eq i32 %.512.peel37, 0
  br i1 %.514.not.peel38, label %B550, label %B358.peel.next8

B358.peel.next8:                                  ; preds = %B480.peel26
  %.302.peel45 = sext i32 %.512.peel37 to i64
  %.333.peel46 = icmp slt i32 %.512.peel37, 0
  %.334.peel47 = select i1 %.333.peel46, i64 %.45, i64 0
  %.335.peel48 = add i64 %.334.peel47, %.302.peel45
  %.359.idx.peel49 = shl i64 %.335.peel48, 6
  %.359.peel50 = getelementptr i8, ptr %.51, i64 %.359.idx.peel49
  %.360.peel51 = load i64, ptr %.359.peel50, align 8
  %.362.peel52 = icmp eq i64 %.360.peel51, %arg.node
  br i1 %.362.peel52, label %B438.peel53, label %B480.peel57

B438.peel53:                                      ; preds = %B358.peel.next8
  %.417.peel54 = getelementptr i8, ptr %.359.peel50, i64 8
  %.418.peel55 = load i64, ptr %.417.peel54, align 8
  %.420.peel56 = icmp eq i64 %.418.peel55, %arg.rest
  br i1 %.420.peel56, label %common.ret, label %B480.peel57

B480.peel57:                                      ; preds = %B438.peel53, %B358.peel.next8
  %.46.i.peel63 = add nsw i64 %.193, 3
  %.55.i661.peel64 = and i64 %.46.i.peel63, %.52.i
  %.496.peel65 = icmp slt i64 %.55.i661.peel64, 0
  %.497.peel66 = select i1 %.496.peel65, i64 %.87, i64 0
  %3 = getelementptr i32, ptr %.93, i64 %.55.i661.peel64
  %.511.peel67 = getelementptr i32, ptr %3, i64 %.497.peel66
  %.512.peel68 = load i32, ptr %.511.peel67, align 4
  %.514.not.peel69 = icmp eq i32 %.512.peel68, 0
  br i1 %.514.not.peel69, label %B550, label %B358.peel.next39

B358.peel.next39:                                 ; preds = %B480.peel57
  %.302.peel76 = sext i32 %.512.peel68 to i64
  %.333.peel77 = icmp slt i32 %.512.peel68, 0
  %.334.peel78 = select i1 %.333.peel77, i64 %.45, i64 0
  %.335.peel79 = add i64 %.334.peel78, %.302.peel76
  %.359.idx.peel80 = shl i64 %.335.peel79, 6
  %.359.peel81 = getelementptr i8, ptr %.51, i64 %.359.idx.peel80
  %.360.peel82 = load i64, ptr %.359.peel81, align 8
  %.362.peel83 = icmp eq i64 %.360.peel82, %arg.node
  br i1 %.362.peel83, label %B438.peel84, label %B480.peel88

B438.peel84:                                      ; preds = %B358.peel.next39
  %.417.peel85 = getelementptr i8, ptr %.359.peel81, i64 8
  %.418.peel86 = load i64, ptr %.417.peel85, align 8
  %.420.peel87 = icmp eq i64 %.418.peel86, %arg.rest
  br i1 %.420.peel87, label %common.ret, label %B480.peel88

B480.peel88:                                      ; preds = %B438.peel84, %B358.peel.next39
  %.46.i.peel94 = add nsw i64 %.193, 4
  %.55.i661.peel95 = and i64 %.46.i.peel94, %.52.i
  %.496.peel96 = icmp slt i64 %.55.i661.peel95, 0
  %.497.peel97 = select i1 %.496.peel96, i64 %.87, i64 0
  %4 = getelementptr i32, ptr %.93, i64 %.55.i661.peel95
  %.511.peel98 = getelementptr i32, ptr %4, i64 %.497.peel97
  %.512.peel99 = load i32, ptr %.511.peel98, align 4
  %.514.not.peel100 = icmp eq i32 %.512.peel99, 0
  br i1 %.514.not.peel100, label %B550, label %B358.peel.next70

B358.peel.next70:                                 ; preds = %B480.peel88
  %.302.peel107 = sext i32 %.512.peel99 to i64
  %.333.peel108 = icmp slt i32 %.512.peel99, 0
  %.334.peel109 = select i1 %.333.peel108, i64 %.45, i64 0
  %.335.peel110 = add i64 %.334.peel109, %.302.peel107
  %.359.idx.peel111 = shl i64 %.335.peel110, 6
  %.359.peel112 = getelementptr i8, ptr %.51, i64 %.359.idx.peel111
  %.360.peel113 = load i64, ptr %.359.peel112, align 8
  %.362.peel114 = icmp eq i64 %.360.peel113, %arg.node
  br i1 %.362.peel114, label %B438.peel115, label %B480.peel119

B438.peel115:                                     ; preds = %B358.peel.next70
  %.417.peel116 = getelementptr i8, ptr %.359.peel112, i64 8
  %.418.peel117 = load i64, ptr %.417.peel116, align 8
  %.420.peel118 = icmp eq i64 %.418.peel117, %arg.rest
  br i1 %.420.peel118, label %common.ret, label %B480.peel119

B480.peel119:                                     ; preds = %B438.peel115, %B358.peel.next70
  %.46.i.peel125 = add nsw i64 %.193, 5
  %.55.i661.peel126 = and i64 %.46.i.peel125, %.52.i
  %.496.peel127 = icmp slt i64 %.55.i661.peel126, 0
  %.497.peel128 = select i1 %.496.peel127, i64 %.87, i64 0
  %5 = getelementptr i32, ptr %.93, i64 %.55.i661.peel126
  %.511.peel129 = getelementptr i32, ptr %5, i64 %.497.peel128
  %.512.peel130 = load i32, ptr %.511.peel129, align 4
  %.514.not.peel131 = icmp eq i32 %.512.peel130, 0
  br i1 %.514.not.peel131, label %B550, label %B358.peel.next101

B358.peel.next101:                                ; preds = %B480.peel119
  %.302.peel138 = sext i32 %.512.peel130 to i64
  %.333.peel139 = icmp slt i32 %.512.peel130, 0
  %.334.peel140 = select i1 %.333.peel139, i64 %.45, i64 0
  %.335.peel141 = add i64 %.334.peel140, %.302.peel138
  %.359.idx.peel142 = shl i64 %.335.peel141, 6
  %.359.peel143 = getelementptr i8, ptr %.51, i64 %.359.idx.peel142
  %.360.peel144 = load i64, ptr %.359.peel143, align 8
  %.362.peel145 = icmp eq i64 %.360.peel144, %arg.node
  br i1 %.362.peel145, label %B438.peel146, label %B480.peel150

B438.peel146:                                     ; preds = %B358.peel.next101
  %.417.peel147 = getelementptr i8, ptr %.359.peel143, i64 8
  %.418.peel148 = load i64, ptr %.417.peel147, align 8
  %.420.peel149 = icmp eq i64 %.418.peel148, %arg.rest
  br i1 %.420.peel149, label %common.ret, label %B480.peel150

B480.peel150:                                     ; preds = %B438.peel146, %B358.peel.next101
  %.46.i.peel156 = add nsw i64 %.193, 6
  %.55.i661.peel157 = and i64 %.46.i.peel156, %.52.i
  %.496.peel158 = icmp slt i64 %.55.i661.peel157, 0
  %.497.peel159 = select i1 %.496.peel158, i64 %.87, i64 0
  %6 = getelementptr i32, ptr %.93, i64 %.55.i661.peel157
  %.511.peel160 = getelementptr i32, ptr %6, i64 %.497.peel159
  %.512.peel161 = load i32, ptr %.511.peel160, align 4
  %.514.not.peel162 = icmp eq i32 %.512.peel161, 0
  br i1 %.514.not.peel162, label %B550, label %B358.peel.next132

B358.peel.next132:                                ; preds = %B480.peel150
  %.302.peel169 = sext i32 %.512.peel161 to i64
  %.333.peel170 = icmp slt i32 %.512.peel161, 0
  %.334.peel171 = select i1 %.333.peel170, i64 %.45, i64 0
  %.335.peel172 = add i64 %.334.peel171, %.302.peel169
  %.359.idx.peel173 = shl i64 %.335.peel172, 6
  %.359.peel174 = getelementptr i8, ptr %.51, i64 %.359.idx.peel173
  %.360.peel175 = load i64, ptr %.359.peel174, align 8
  %.362.peel176 = icmp eq i64 %.360.peel175, %arg.node
  br i1 %.362.peel176, label %B438.peel177, label %B480.peel181

B438.peel177:                                     ; preds = %B358.peel.next132
  %.417.peel178 = getelementptr i8, ptr %.359.peel174, i64 8
  %.418.peel179 = load i64, ptr %.417.peel178, align 8
  %.420.peel180 = icmp eq i64 %.418.peel179, %arg.rest
  br i1 %.420.peel180, label %common.ret, label %B480.peel181

B480.peel181:                                     ; preds = %B438.peel177, %B358.peel.next132
  %.46.i.peel187 = add nsw i64 %.193, 7
  %.55.i661.peel188 = and i64 %.46.i.peel187, %.52.i
  %.496.peel189 = icmp slt i64 %.55.i661.peel188, 0
  %.497.peel190 = select i1 %.496.peel189, i64 %.87, i64 0
  %7 = getelementptr i32, ptr %.93, i64 %.55.i661.peel188
  %.511.peel191 = getelementptr i32, ptr %7, i64 %.497.peel190
  %.512.peel192 = load i32, ptr %.511.peel191, align 4
  %.514.not.peel193 = icmp eq i32 %.512.peel192, 0
  br i1 %.514.not.peel193, label %B550, label %B358

B358:                                             ; preds = %B480.peel181, %B480
  %i.2.0 = phi i64 [ %.448, %B480 ], [ 7, %B480.peel181 ]
  %slot.2.0 = phi i64 [ %.55.i661, %B480 ], [ %.55.i661.peel188, %B480.peel181 ]
  %.283 = icmp slt i64 %slot.2.0, 0
  %.284 = select i1 %.283, i64 %.87, i64 0
  %8 = getelementptr i32, ptr %.93, i64 %slot.2.0
  %.298 = getelementptr i32, ptr %8, i64 %.284
  %.299 = load i32, ptr %.298, align 4
  %.302 = sext i32 %.299 to i64
  %.333 = icmp slt i32 %.299, 0
  %.334 = select i1 %.333, i64 %.45, i64 0
  %.335 = add i64 %.334, %.302
  %.359.idx = shl i64 %.335, 6
  %.359 = getelementptr i8, ptr %.51, i64 %.359.idx
  %.360 = load i64, ptr %.359, align 8
  %.362 = icmp eq i64 %.360, %arg.node
  br i1 %.362, label %B438, label %B480

B438:                                             ; preds = %B358
  %.417 = getelementptr i8, ptr %.359, i64 8
  %.418 = load i64, ptr %.417, align 8
  %.420 = icmp eq i64 %.418, %arg.rest
  br i1 %.420, label %common.ret, label %B480

B480:                                             ; preds = %B438, %B358
  %.448 = add nuw nsw i64 %i.2.0, 1
  %spec.select6 = mul nuw nsw i64 %.448, %.30.i
  %.46.i = add nuw nsw i64 %spec.select6, %.25.i
  %.55.i661 = and i64 %.46.i, %.52.i
  %9 = getelementptr i32, ptr %.93, i64 %.55.i661
  %.512 = load i32, ptr %9, align 4
  %.514.not = icmp eq i32 %.512, 0
  br i1 %.514.not, label %B550, label %B358, !llvm.loop !315

B550:                                             ; preds = %B480, %B480.peel, %B480.peel26, %B480.peel57, %B480.peel88, %B480.peel119, %B480.peel150, %B480.peel181, %B30
  %slot.3.1 = phi i64 [ %.55.i, %B30 ], [ %.55.i661.peel188, %B480.peel181 ], [ %.55.i661.peel, %B480.peel ], [ %.55.i661.peel33, %B480.peel26 ], [ %.55.i661.peel64, %B480.peel57 ], [ %.55.i661.peel95, %B480.peel88 ], [ %.55.i661.peel126, %B480.peel119 ], [ %.55.i661.peel157, %B480.peel150 ], [ %.55.i661, %B480 ]
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 56
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !317
  %.84.not.not.i = icmp slt i64 %.50.i, %.45
  br i1 %.84.not.not.i, label %B594, label %B638

B594:                                             ; preds = %B550
  %.49.i662 = getelementptr i8, ptr %arg.m.4, i64 224
  %.50.i663 = load i64, ptr %.49.i662, align 8, !noalias !320
  %.82.i664 = getelementptr i8, ptr %arg.m.4, i64 232
  %.83.i665 = load i64, ptr %.82.i664, align 8, !noalias !320
  %.84.not.not.i666 = icmp slt i64 %.50.i663, %.83.i665
  br i1 %.84.not.not.i666, label %B652, label %B638

B638:                                             ; preds = %B594, %B550
  %.sink = phi i64 [ 6, %B550 ], [ 27, %B594 ]
  %.122.i668 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 %.sink, ptr %.122.i668, align 8, !noalias !285
  br label %common.ret

B652:                                             ; preds = %B594
  %.661 = load i64, ptr %arg.m.4, align 8
  %.663 = getelementptr i8, ptr %arg.m.4, i64 16
  %.664 = load i64, ptr %.663, align 8
  %.670 = inttoptr i64 %.661 to ptr
  %.702 = getelementptr i8, ptr %arg.m.4, i64 216
  %.703 = load i64, ptr %.702, align 8
  %.712 = inttoptr i64 %.703 to ptr
  %.742.not = icmp eq i64 %arg.rest, 0
  br i1 %.742.not, label %B834, label %B790

B790:                                             ; preds = %B652
  %.758 = icmp slt i64 %arg.rest, 0
  %.759 = select i1 %.758, i64 %.83.i665, i64 0
  %10 = getelementptr i64, ptr %.712, i64 %arg.rest
  %.773 = getelementptr i64, ptr %10, i64 %.759
  %.774 = load i64, ptr %.773, align 8
  br label %B834

B834:                                             ; preds = %B652, %B790
  %"$phi834.0.2.0" = phi i64 [ %.774, %B790 ], [ 0, %B652 ]
  %.815 = icmp slt i64 %arg.node, 0
  %.816 = select i1 %.815, i64 %.664, i64 0
  %.817 = add i64 %.816, %arg.node
  %.841.idx = shl i64 %.817, 6
  %.841 = getelementptr i8, ptr %.670, i64 %.841.idx
  %.842 = load i64, ptr %.841, align 8
  %.843 = icmp eq i64 %.842, 6
  br i1 %.843, label %B884, label %B922

B884:                                             ; preds = %B834
  %.898 = getelementptr i8, ptr %.841, i64 32
  %.899 = load i64, ptr %.898, align 8
  %.903 = add nsw i64 %.899, %"$phi834.0.2.0"
  br label %B922

B922:                                             ; preds = %B834, %B884
  %"$phi922.0.2.0" = phi i64 [ %.903, %B884 ], [ %"$phi834.0.2.0", %B834 ]
  %.933 = icmp slt i64 %.50.i, 0
  %.934 = select i1 %.933, i64 %.83.i665, i64 0
  %11 = getelementptr i64, ptr %.712, i64 %.50.i
  %.948 = getelementptr i64, ptr %11, i64 %.934
  store i64 %"$phi922.0.2.0", ptr %.948, align 8
  %.955 = add nsw i64 %.50.i, 1
  store i64 %.955, ptr %.49.i662, align 8
  %.1029 = select i1 %.933, i64 %.45, i64 0
  %.1030 = add i64 %.1029, %.50.i
  %.1054.idx = shl i64 %.1030, 6
  %.1054 = getelementptr i8, ptr %.51, i64 %.1054.idx
  store i64 %arg.node, ptr %.1054, align 8
  %.1109 = getelementptr i8, ptr %.1054, i64 8
  store i64 %arg.rest, ptr %.1109, align 8
  %.1164 = getelementptr i8, ptr %.1054, i64 16
  store i64 -1, ptr %.1164, align 8
  %.1219 = getelementptr i8, ptr %.1054, i64 48
  store i64 -1, ptr %.1219, align 8
  %.1274 = getelementptr i8, ptr %.1054, i64 24
  %.1403 = icmp slt i64 %slot.3.1, 0
  %.1404 = select i1 %.1403, i64 %.87, i64 0
  %12 = getelementptr i32, ptr %.93, i64 %slot.3.1
  %.1418 = getelementptr i32, ptr %12, i64 %.1404
  %.1419 = trunc i64 %.50.i to i32
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %.1274, i8 0, i64 24, i1 false)
  store i32 %.1419, ptr %.1418, align 4
  store i64 %.955, ptr %.49.i, align 8
  br label %common.ret
}

define internal fastcc void @leaves.append_leaf(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.node, i64 %arg.after, i64 %arg.count) unnamed_addr {
entry:
  %.192 = alloca i64, align 8
  %.530 = alloca i64, align 8
  %.596 = alloca i64, align 8
  %.786 = alloca i64, align 8
  %.41 = load i64, ptr %arg.m.4, align 8
  %.43 = getelementptr i8, ptr %arg.m.4, i64 16
  %.44 = load i64, ptr %.43, align 8
  %.50 = inttoptr i64 %.41 to ptr
  %.104 = icmp slt i64 %arg.node, 0
  %.105 = select i1 %.104, i64 %.44, i64 0
  %.106 = add i64 %.105, %arg.node
  %.130.idx = shl i64 %.106, 6
  %.130 = getelementptr i8, ptr %.50, i64 %.130.idx
  %.131 = load i64, ptr %.130, align 8
  %.132 = icmp eq i64 %.131, 2
  br i1 %.132, label %B94, label %B184

B94:                                              ; preds = %entry
  %.188 = getelementptr i8, ptr %.130, i64 16
  %.189 = load i64, ptr %.188, align 8
  store i64 0, ptr %.192, align 8
  call fastcc void @terms.push(ptr %.192, ptr nonnull %arg.m.4, i64 %.189, i64 %arg.after)
  %.208 = load i64, ptr %.192, align 8
  %.279 = getelementptr i8, ptr %.130, i64 8
  %.280 = load i64, ptr %.279, align 8
  br label %B184

B184:                                             ; preds = %B94, %entry
  %after.4.0 = phi i64 [ %.208, %B94 ], [ %arg.after, %entry ]
  %node.2.0 = phi i64 [ %.280, %B94 ], [ %arg.node, %entry ]
  %.315 = icmp slt i64 %node.2.0, 0
  %.316 = select i1 %.315, i64 %.44, i64 0
  %.317 = add i64 %.316, %node.2.0
  %.341.idx = shl i64 %.317, 6
  %.341 = getelementptr i8, ptr %.50, i64 %.341.idx
  %.342 = load i64, ptr %.341, align 8
  %.405 = icmp eq i64 %.342, 7
  %.408 = icmp ne i64 %after.4.0, -3
  %or.cond = select i1 %.405, i1 %.408, i1 false
  br i1 %or.cond, label %B288, label %B384

B288:                                             ; preds = %B184
  %.469 = getelementptr i8, ptr %.341, i64 16
  %.470 = load i64, ptr %.469, align 8
  %.497 = icmp slt i64 %.470, 0
  %.498 = select i1 %.497, i64 %.44, i64 0
  %.499 = add i64 %.498, %.470
  %.idx = shl i64 %.499, 6
  %0 = getelementptr i8, ptr %.50, i64 %.idx
  %.523 = getelementptr i8, ptr %0, i64 16
  %.524 = load i64, ptr %.523, align 8
  store i64 0, ptr %.530, align 8
  call fastcc void @terms.push(ptr %.530, ptr nonnull %arg.m.4, i64 %.470, i64 %after.4.0)
  %.546 = load i64, ptr %.530, align 8
  br label %B652

B384:                                             ; preds = %B184
  %.396 = getelementptr i8, ptr %.341, i64 8
  %.397 = load i64, ptr %.396, align 8
  %.574 = icmp eq i64 %.342, 5
  %brmerge.not = select i1 %.574, i1 %.408, i1 false
  %after.4.0.mux = select i1 %.574, i64 -3, i64 %after.4.0
  br i1 %brmerge.not, label %B428, label %B652

B428:                                             ; preds = %B384
  store i64 0, ptr %.596, align 8
  call fastcc void @terms.edges_of(ptr %.596, ptr nonnull %arg.m.4, i64 %node.2.0)
  %.612 = load i64, ptr %.596, align 8
  %.628 = icmp eq i64 %.612, -3
  br i1 %.628, label %common.ret, label %B496

common.ret:                                       ; preds = %B652, %B428, %B752, %B738
  %.838.sink = phi i64 [ %.838, %B752 ], [ -3, %B738 ], [ -3, %B428 ], [ -3, %B652 ]
  store i64 %.838.sink, ptr %retptr, align 8
  ret void

B496:                                             ; preds = %B428
  %.648 = getelementptr i8, ptr %arg.m.4, i64 24
  %.649 = load i64, ptr %.648, align 8
  %.651 = getelementptr i8, ptr %arg.m.4, i64 40
  %.652 = load i64, ptr %.651, align 8
  %.658 = inttoptr i64 %.649 to ptr
  %.692 = icmp slt i64 %.612, -1
  %.693 = select i1 %.692, i64 %.652, i64 0
  %1 = getelementptr i64, ptr %.658, i64 %.612
  %2 = getelementptr i8, ptr %1, i64 8
  %.707 = getelementptr i64, ptr %2, i64 %.693
  %.708 = load i64, ptr %.707, align 8
  %.767 = icmp slt i64 %.612, -2
  %.768 = select i1 %.767, i64 %.652, i64 0
  %3 = getelementptr i8, ptr %1, i64 16
  %.782 = getelementptr i64, ptr %3, i64 %.768
  %.783 = load i64, ptr %.782, align 8
  store i64 0, ptr %.786, align 8
  call fastcc void @terms.push(ptr %.786, ptr nonnull %arg.m.4, i64 %.783, i64 %after.4.0)
  %.802 = load i64, ptr %.786, align 8
  %.709 = add nsw i64 %.708, -1
  br label %B652

B652:                                             ; preds = %B384, %B496, %B288
  %after.5.0 = phi i64 [ %.546, %B288 ], [ %.802, %B496 ], [ %after.4.0.mux, %B384 ]
  %of.3.0 = phi i64 [ %.524, %B288 ], [ %.709, %B496 ], [ %.397, %B384 ]
  %.824 = icmp eq i64 %after.5.0, -3
  br i1 %.824, label %common.ret, label %B688

B688:                                             ; preds = %B652
  %.838 = add nsw i64 %arg.count, 1
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 296
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !323
  %.51.i = add nsw i64 %.50.i, %.838
  %.82.i = getelementptr i8, ptr %arg.m.4, i64 304
  %.83.i = load i64, ptr %.82.i, align 8, !noalias !323
  %.84.not.i = icmp sgt i64 %.51.i, %.83.i
  br i1 %.84.not.i, label %B738, label %B752

B738:                                             ; preds = %B688
  %.122.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 36, ptr %.122.i, align 8, !noalias !323
  br label %common.ret

B752:                                             ; preds = %B688
  %.887 = shl i64 %of.3.0, 32
  %.891 = or i64 %.887, %after.5.0
  %.902 = getelementptr i8, ptr %arg.m.4, i64 288
  %.903 = load i64, ptr %.902, align 8
  %.912 = inttoptr i64 %.903 to ptr
  %.947 = icmp slt i64 %arg.count, 0
  %.948 = select i1 %.947, i64 %.83.i, i64 0
  %4 = getelementptr i64, ptr %.912, i64 %arg.count
  %.962 = getelementptr i64, ptr %4, i64 %.948
  store i64 %.891, ptr %.962, align 8
  br label %common.ret
}

define internal fastcc void @terms.edges_of(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.node) unnamed_addr {
entry:
  %.27 = load i64, ptr %arg.m.4, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 16
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.68 = getelementptr i8, ptr %arg.m.4, i64 24
  %.69 = load i64, ptr %.68, align 8
  %.71 = getelementptr i8, ptr %arg.m.4, i64 40
  %.72 = load i64, ptr %.71, align 8
  %.78 = inttoptr i64 %.69 to ptr
  %.131 = icmp slt i64 %arg.node, 0
  %.132 = select i1 %.131, i64 %.30, i64 0
  %.133 = add i64 %.132, %arg.node
  %.idx = shl i64 %.133, 6
  %0 = getelementptr i8, ptr %.36, i64 %.idx
  %.157 = getelementptr i8, ptr %0, i64 48
  %.158 = load i64, ptr %.157, align 8
  %.159 = icmp sgt i64 %.158, -1
  br i1 %.159, label %common.ret, label %B156

common.ret:                                       ; preds = %B880.i, %views.lacks.13.exit.i, %views.lacks.12.exit.i, %B1956.i, %views.lacks.11.exit.i, %views.lacks.10.exit.i, %views.lacks.9.exit.i, %entry, %B1310, %B840, %B204
  %storemerge510.i.sink = phi i64 [ -3, %views.lacks.9.exit.i ], [ %.158, %entry ], [ %.50.i, %B1310 ], [ -3, %B840 ], [ -3, %B204 ], [ %.50.i.i, %B1956.i ], [ -3, %views.lacks.11.exit.i ], [ -3, %views.lacks.10.exit.i ], [ %.50.i.i835, %B880.i ], [ -3, %views.lacks.13.exit.i ], [ -3, %views.lacks.12.exit.i ]
  store i64 %storemerge510.i.sink, ptr %retptr, align 8
  ret void

B156:                                             ; preds = %entry
  %.280 = load i64, ptr %0, align 8
  switch i64 %.280, label %B430 [
    i64 6, label %B204
    i64 8, label %B318
    i64 10, label %B398
  ]

B204:                                             ; preds = %B156
  %.315 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 -1, ptr %.315, align 8
  %.346 = getelementptr i8, ptr %arg.m.4, i64 824
  store i64 %arg.node, ptr %.346, align 8
  br label %common.ret

B318:                                             ; preds = %B156
  %.106.i = getelementptr i8, ptr %arg.m.4, i64 192
  %.107.i = load i64, ptr %.106.i, align 8, !noalias !326
  %.109.i = getelementptr i8, ptr %arg.m.4, i64 208
  %.110.i = load i64, ptr %.109.i, align 8, !noalias !326
  %.116.i = inttoptr i64 %.107.i to ptr
  %.202.i = getelementptr i8, ptr %0, i64 8
  %.203.i = load i64, ptr %.202.i, align 8, !noalias !326
  %.257.i = getelementptr i8, ptr %0, i64 16
  %.258.i = load i64, ptr %.257.i, align 8, !noalias !326
  %.312.i = getelementptr i8, ptr %0, i64 24
  %.313.i = load i64, ptr %.312.i, align 8, !noalias !326
  %.367.i = getelementptr i8, ptr %0, i64 32
  %.368.i = load i64, ptr %.367.i, align 8, !noalias !326
  %.393.i = add nsw i64 %.258.i, %.203.i
  %.408.i = icmp slt i64 %.393.i, -1
  %.409.i = select i1 %.408.i, i64 %.72, i64 0
  %1 = getelementptr i64, ptr %.78, i64 %.393.i
  %2 = getelementptr i8, ptr %1, i64 8
  %.423.i = getelementptr i64, ptr %2, i64 %.409.i
  %.424.i = load i64, ptr %.423.i, align 8, !noalias !326
  %.441.i = icmp slt i64 %.393.i, 0
  %.442.i = select i1 %.441.i, i64 %.72, i64 0
  %.456.i = getelementptr i64, ptr %1, i64 %.442.i
  %.457.i = load i64, ptr %.456.i, align 8, !noalias !326
  %.458.i = sub nsw i64 %.424.i, %.457.i
  %.460.i = icmp eq i64 %.458.i, %.368.i
  %.470.i = zext i1 %.460.i to i64
  %"$phi352.0.2.0.i" = add nsw i64 %.258.i, %.470.i
  %.500.i = icmp slt i64 %"$phi352.0.2.0.i", %.313.i
  br i1 %.500.i, label %B374.preheader.i, label %B434.i

B374.preheader.i:                                 ; preds = %B318
  %3 = add nsw i64 %.313.i, -1
  br label %B374.i

B374.i:                                           ; preds = %terms.end_of_run.exit.i, %B374.preheader.i
  %i.4.0.i = phi i64 [ %stop.3.0.i.i, %terms.end_of_run.exit.i ], [ %"$phi352.0.2.0.i", %B374.preheader.i ]
  %groups.2.0.i = phi i64 [ %.503.i, %terms.end_of_run.exit.i ], [ 0, %B374.preheader.i ]
  %.26.i.i = add nsw i64 %i.4.0.i, %.203.i
  %.40.i.i = icmp slt i64 %.26.i.i, 0
  %.41.i.i = select i1 %.40.i.i, i64 %.72, i64 0
  %4 = getelementptr i64, ptr %.78, i64 %.26.i.i
  %.55.i.i = getelementptr i64, ptr %4, i64 %.41.i.i
  %.56.i.i = load i64, ptr %.55.i.i, align 8, !noalias !329
  %.58.i.i = add nsw i64 %.56.i.i, %.368.i
  %.72.i.i = icmp slt i64 %.58.i.i, 0
  %.73.i.i = select i1 %.72.i.i, i64 %.72, i64 0
  %5 = getelementptr i64, ptr %.78, i64 %.58.i.i
  %.87.i.i = getelementptr i64, ptr %5, i64 %.73.i.i
  %.88.i.i = load i64, ptr %.87.i.i, align 8, !noalias !329
  %.89.i.i = add nsw i64 %i.4.0.i, 1
  %.102.i.i = icmp slt i64 %.89.i.i, %.313.i
  br i1 %.102.i.i, label %B66.i.i, label %terms.end_of_run.exit.i

B66.i.i:                                          ; preds = %B374.i
  %.113.i.i = add nsw i64 %.89.i.i, %.203.i
  %.129.i.i = icmp slt i64 %.113.i.i, 0
  %.130.i.i = select i1 %.129.i.i, i64 %.72, i64 0
  %6 = getelementptr i64, ptr %.78, i64 %.113.i.i
  %.144.i.i = getelementptr i64, ptr %6, i64 %.130.i.i
  %.145.i.i = load i64, ptr %.144.i.i, align 8, !noalias !329
  %.147.i.i = add nsw i64 %.145.i.i, %.368.i
  %.161.i.i = icmp slt i64 %.147.i.i, 0
  %.162.i.i = select i1 %.161.i.i, i64 %.72, i64 0
  %7 = getelementptr i64, ptr %.78, i64 %.147.i.i
  %.176.i.i = getelementptr i64, ptr %7, i64 %.162.i.i
  %.177.i.i = load i64, ptr %.176.i.i, align 8, !noalias !329
  %.179.i.i = icmp eq i64 %.177.i.i, %.88.i.i
  br i1 %.179.i.i, label %B114.i.i, label %terms.end_of_run.exit.i

B114.i.i:                                         ; preds = %B66.i.i, %B136.i.i
  %stop.2.1.i.i = phi i64 [ %.185.i.i, %B136.i.i ], [ %.89.i.i, %B66.i.i ]
  %exitcond.not.i.i = icmp eq i64 %stop.2.1.i.i, %3
  br i1 %exitcond.not.i.i, label %terms.end_of_run.exit.thread.i, label %B136.i.i

terms.end_of_run.exit.thread.i:                   ; preds = %B114.i.i
  %.5032.i = add nuw nsw i64 %groups.2.0.i, 1
  br label %B434.i

B136.i.i:                                         ; preds = %B114.i.i
  %.185.i.i = add nsw i64 %stop.2.1.i.i, 1
  %.206.i.i = add nsw i64 %.185.i.i, %.203.i
  %.222.i.i = icmp slt i64 %.206.i.i, 0
  %.223.i.i = select i1 %.222.i.i, i64 %.72, i64 0
  %8 = getelementptr i64, ptr %.78, i64 %.206.i.i
  %.237.i.i = getelementptr i64, ptr %8, i64 %.223.i.i
  %.238.i.i = load i64, ptr %.237.i.i, align 8, !noalias !329
  %.240.i.i = add nsw i64 %.238.i.i, %.368.i
  %.254.i.i = icmp slt i64 %.240.i.i, 0
  %.255.i.i = select i1 %.254.i.i, i64 %.72, i64 0
  %9 = getelementptr i64, ptr %.78, i64 %.240.i.i
  %.269.i.i = getelementptr i64, ptr %9, i64 %.255.i.i
  %.270.i.i = load i64, ptr %.269.i.i, align 8, !noalias !329
  %.272.i.i = icmp eq i64 %.270.i.i, %.88.i.i
  br i1 %.272.i.i, label %B114.i.i, label %terms.end_of_run.exit.i

terms.end_of_run.exit.i:                          ; preds = %B136.i.i, %B66.i.i, %B374.i
  %stop.3.0.i.i = phi i64 [ %.89.i.i, %B66.i.i ], [ %.89.i.i, %B374.i ], [ %.185.i.i, %B136.i.i ]
  %.503.i = add nuw nsw i64 %groups.2.0.i, 1
  %.545.i = icmp slt i64 %stop.3.0.i.i, %.313.i
  br i1 %.545.i, label %B374.i, label %B434.i

B434.i:                                           ; preds = %terms.end_of_run.exit.i, %terms.end_of_run.exit.thread.i, %B318
  %groups.3.1.i = phi i64 [ %.5032.i, %terms.end_of_run.exit.thread.i ], [ 0, %B318 ], [ %.503.i, %terms.end_of_run.exit.i ]
  %.552.i = select i1 %.460.i, i64 3, i64 4
  %.567.i = add i64 %groups.3.1.i, %.552.i
  %.577.i = shl nsw i64 %.567.i, 1
  %.49.i.i = getelementptr i8, ptr %arg.m.4, i64 32
  %.50.i.i = load i64, ptr %.49.i.i, align 8, !noalias !332
  %.578.i = add i64 %.50.i.i, 1
  %.51.i.i = add i64 %.578.i, %.577.i
  %.84.not.i.i = icmp sgt i64 %.51.i.i, %.72
  br i1 %.84.not.i.i, label %views.lacks.9.exit.i, label %B514.i

views.lacks.9.exit.i:                             ; preds = %B434.i
  %.122.i.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 3, ptr %.122.i.i, align 8, !noalias !332
  br label %common.ret

B514.i:                                           ; preds = %B434.i
  %.618.i = add nsw i64 %groups.3.1.i, 2
  %.49.i808.i = getelementptr i8, ptr %arg.m.4, i64 8
  %.50.i809.i = load i64, ptr %.49.i808.i, align 8, !noalias !335
  %.51.i810.i = add nsw i64 %.618.i, %.50.i809.i
  %.84.not.i813.i = icmp sgt i64 %.51.i810.i, %.30
  br i1 %.84.not.i813.i, label %views.lacks.10.exit.i, label %B564.i

views.lacks.10.exit.i:                            ; preds = %B514.i
  %.122.i816.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 0, ptr %.122.i816.i, align 8, !noalias !335
  br label %common.ret

B564.i:                                           ; preds = %B514.i
  %.49.i817.i = getelementptr i8, ptr %arg.m.4, i64 200
  %.50.i818.i = load i64, ptr %.49.i817.i, align 8, !noalias !338
  %.84.not.not.i.i = icmp slt i64 %.50.i818.i, %.110.i
  br i1 %.84.not.not.i.i, label %B622.i, label %views.lacks.11.exit.i

views.lacks.11.exit.i:                            ; preds = %B564.i
  %.122.i822.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 24, ptr %.122.i822.i, align 8, !noalias !338
  br label %common.ret

B622.i:                                           ; preds = %B564.i
  %.737.i = icmp slt i64 %.203.i, 132
  %.738.i = select i1 %.737.i, i64 %.72, i64 0
  %10 = getelementptr i64, ptr %.78, i64 %.203.i
  %11 = getelementptr i8, ptr %10, i64 -1056
  %.752.i = getelementptr i64, ptr %11, i64 %.738.i
  %.753.i = load i64, ptr %.752.i, align 8, !noalias !326
  %.987.i = icmp slt i64 %.50.i818.i, 0
  %.988.i = select i1 %.987.i, i64 %.110.i, i64 0
  %.989.i = add i64 %.988.i, %.50.i818.i
  %.1009.i = shl i64 %.989.i, 8
  %12 = getelementptr i8, ptr %.116.i, i64 %.1009.i
  br label %vector.body

vector.body:                                      ; preds = %vector.body, %B622.i
  %index = phi i64 [ 0, %B622.i ], [ %index.next, %vector.body ]
  %vec.ind = phi <16 x i64> [ <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>, %B622.i ], [ %vec.ind.next, %vector.body ]
  %13 = add nsw <16 x i64> %vec.ind, <i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32>
  %14 = icmp ult <16 x i64> %13, <i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96>
  %15 = icmp ne <16 x i64> %vec.ind, <i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34>
  %16 = and <16 x i1> %15, %14
  %17 = icmp ne <16 x i64> %vec.ind, <i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92>
  %18 = and <16 x i1> %17, %16
  %19 = getelementptr i8, ptr %12, i64 %index
  %20 = zext <16 x i1> %18 to <16 x i8>
  store <16 x i8> %20, ptr %19, align 1, !noalias !326
  %index.next = add nuw i64 %index, 16
  %vec.ind.next = add nuw nsw <16 x i64> %vec.ind, <i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16>
  %21 = icmp eq i64 %index.next, 256
  br i1 %21, label %B952.i, label %vector.body, !llvm.loop !341

B952.i:                                           ; preds = %vector.body
  br i1 %.500.i, label %B978.preheader.i, label %B1236.i

B978.preheader.i:                                 ; preds = %B952.i
  %22 = add nsw i64 %.313.i, -1
  %.122.i.i.i = getelementptr i8, ptr %arg.m.4, i64 816
  %.1198.i = add nsw i64 %.368.i, 1
  br label %B978.i

B978.i:                                           ; preds = %terms.new_node.exit.i, %B978.preheader.i
  %n.2.0.i = phi i64 [ %.1292.i, %terms.new_node.exit.i ], [ %.578.i, %B978.preheader.i ]
  %i.5.0.i = phi i64 [ %stop.3.0.i836.i, %terms.new_node.exit.i ], [ %"$phi352.0.2.0.i", %B978.preheader.i ]
  %.1046.i = add nsw i64 %i.5.0.i, %.203.i
  %.1060.i = icmp slt i64 %.1046.i, 0
  %.1061.i = select i1 %.1060.i, i64 %.72, i64 0
  %23 = getelementptr i64, ptr %.78, i64 %.1046.i
  %.1075.i = getelementptr i64, ptr %23, i64 %.1061.i
  %.1076.i = load i64, ptr %.1075.i, align 8, !noalias !326
  %.1078.i = add nsw i64 %.1076.i, %.368.i
  %.1092.i = icmp slt i64 %.1078.i, 0
  %.1093.i = select i1 %.1092.i, i64 %.72, i64 0
  %24 = getelementptr i64, ptr %.78, i64 %.1078.i
  %.1107.i = getelementptr i64, ptr %24, i64 %.1093.i
  %.1108.i = load i64, ptr %.1107.i, align 8, !noalias !326
  %.89.i834.i = add nsw i64 %i.5.0.i, 1
  %.102.i835.i = icmp slt i64 %.89.i834.i, %.313.i
  br i1 %.102.i835.i, label %B66.i837.i, label %terms.end_of_run.exit866.i

B66.i837.i:                                       ; preds = %B978.i
  %.113.i838.i = add nsw i64 %.89.i834.i, %.203.i
  %.129.i839.i = icmp slt i64 %.113.i838.i, 0
  %.130.i840.i = select i1 %.129.i839.i, i64 %.72, i64 0
  %25 = getelementptr i64, ptr %.78, i64 %.113.i838.i
  %.144.i841.i = getelementptr i64, ptr %25, i64 %.130.i840.i
  %.145.i842.i = load i64, ptr %.144.i841.i, align 8, !noalias !342
  %.147.i843.i = add nsw i64 %.145.i842.i, %.368.i
  %.161.i844.i = icmp slt i64 %.147.i843.i, 0
  %.162.i845.i = select i1 %.161.i844.i, i64 %.72, i64 0
  %26 = getelementptr i64, ptr %.78, i64 %.147.i843.i
  %.176.i846.i = getelementptr i64, ptr %26, i64 %.162.i845.i
  %.177.i847.i = load i64, ptr %.176.i846.i, align 8, !noalias !342
  %.179.i848.i = icmp eq i64 %.177.i847.i, %.1108.i
  br i1 %.179.i848.i, label %B114.i850.i, label %terms.end_of_run.exit866.i

B114.i850.i:                                      ; preds = %B66.i837.i, %B136.i853.i
  %stop.2.1.i851.i = phi i64 [ %.185.i854.i, %B136.i853.i ], [ %.89.i834.i, %B66.i837.i ]
  %exitcond.not.i852.i = icmp eq i64 %stop.2.1.i851.i, %22
  br i1 %exitcond.not.i852.i, label %terms.end_of_run.exit866.i, label %B136.i853.i

B136.i853.i:                                      ; preds = %B114.i850.i
  %.185.i854.i = add nsw i64 %stop.2.1.i851.i, 1
  %.206.i855.i = add nsw i64 %.185.i854.i, %.203.i
  %.222.i856.i = icmp slt i64 %.206.i855.i, 0
  %.223.i857.i = select i1 %.222.i856.i, i64 %.72, i64 0
  %27 = getelementptr i64, ptr %.78, i64 %.206.i855.i
  %.237.i858.i = getelementptr i64, ptr %27, i64 %.223.i857.i
  %.238.i859.i = load i64, ptr %.237.i858.i, align 8, !noalias !342
  %.240.i860.i = add nsw i64 %.238.i859.i, %.368.i
  %.254.i861.i = icmp slt i64 %.240.i860.i, 0
  %.255.i862.i = select i1 %.254.i861.i, i64 %.72, i64 0
  %28 = getelementptr i64, ptr %.78, i64 %.240.i860.i
  %.269.i863.i = getelementptr i64, ptr %28, i64 %.255.i862.i
  %.270.i864.i = load i64, ptr %.269.i863.i, align 8, !noalias !342
  %.272.i865.i = icmp eq i64 %.270.i864.i, %.1108.i
  br i1 %.272.i865.i, label %B114.i850.i, label %terms.end_of_run.exit866.i

terms.end_of_run.exit866.i:                       ; preds = %B136.i853.i, %B114.i850.i, %B66.i837.i, %B978.i
  %stop.3.0.i836.i = phi i64 [ %.89.i834.i, %B66.i837.i ], [ %.89.i834.i, %B978.i ], [ %.185.i854.i, %B136.i853.i ], [ %.313.i, %B114.i850.i ]
  %29 = lshr i64 %.1108.i, 55
  %30 = and i64 %29, 256
  %31 = getelementptr i8, ptr %12, i64 %.1108.i
  %.1192.i = getelementptr i8, ptr %31, i64 %30
  store i8 0, ptr %.1192.i, align 1, !noalias !326
  %.50.i.i.i = load i64, ptr %.49.i808.i, align 8, !noalias !345
  %.83.i.i.i = load i64, ptr %.29, align 8, !noalias !345
  %.84.not.not.i.i.i = icmp slt i64 %.50.i.i.i, %.83.i.i.i
  br i1 %.84.not.not.i.i.i, label %B62.i868.i, label %views.lacks.13.exit.i.i

views.lacks.13.exit.i.i:                          ; preds = %terms.end_of_run.exit866.i
  store i64 0, ptr %.122.i.i.i, align 8, !noalias !345
  br label %terms.new_node.exit.i

B62.i868.i:                                       ; preds = %terms.end_of_run.exit866.i
  %.98.i.i = load i64, ptr %arg.m.4, align 8, !noalias !350
  %.107.i.i = inttoptr i64 %.98.i.i to ptr
  %.212.i.i = icmp slt i64 %.50.i.i.i, 0
  %.213.i.i = select i1 %.212.i.i, i64 %.83.i.i.i, i64 0
  %.214.i.i = add i64 %.213.i.i, %.50.i.i.i
  %.238.idx.i.i = shl i64 %.214.i.i, 6
  %.238.i869.i = getelementptr i8, ptr %.107.i.i, i64 %.238.idx.i.i
  store i64 8, ptr %.238.i869.i, align 8, !noalias !350
  %.291.i.i = getelementptr i8, ptr %.238.i869.i, i64 8
  store i64 %.203.i, ptr %.291.i.i, align 8, !noalias !350
  %.344.i.i = getelementptr i8, ptr %.238.i869.i, i64 16
  store i64 %i.5.0.i, ptr %.344.i.i, align 8, !noalias !350
  %.397.i.i = getelementptr i8, ptr %.238.i869.i, i64 24
  store i64 %stop.3.0.i836.i, ptr %.397.i.i, align 8, !noalias !350
  %.450.i.i = getelementptr i8, ptr %.238.i869.i, i64 32
  store i64 %.1198.i, ptr %.450.i.i, align 8, !noalias !350
  %.504.i.i = getelementptr i8, ptr %.238.i869.i, i64 40
  store i64 0, ptr %.504.i.i, align 8, !noalias !350
  %.559.i.i = getelementptr i8, ptr %.238.i869.i, i64 48
  %.614.i.i = add nsw i64 %.50.i.i.i, 1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.559.i.i, i8 -1, i64 16, i1 false), !noalias !350
  store i64 %.614.i.i, ptr %.49.i808.i, align 8, !noalias !350
  br label %terms.new_node.exit.i

terms.new_node.exit.i:                            ; preds = %B62.i868.i, %views.lacks.13.exit.i.i
  %storemerge.i867.i = phi i64 [ %.50.i.i.i, %B62.i868.i ], [ -3, %views.lacks.13.exit.i.i ]
  %.1195.i = add nsw i64 %.1108.i, 1
  %.1242.i = icmp slt i64 %n.2.0.i, 0
  %.1243.i = select i1 %.1242.i, i64 %.72, i64 0
  %32 = getelementptr i64, ptr %.78, i64 %n.2.0.i
  %.1257.i = getelementptr i64, ptr %32, i64 %.1243.i
  store i64 %.1195.i, ptr %.1257.i, align 8, !noalias !326
  %.1274.i = icmp slt i64 %n.2.0.i, -1
  %.1275.i = select i1 %.1274.i, i64 %.72, i64 0
  %33 = getelementptr i8, ptr %32, i64 8
  %.1289.i = getelementptr i64, ptr %33, i64 %.1275.i
  store i64 %storemerge.i867.i, ptr %.1289.i, align 8, !noalias !326
  %.1292.i = add nsw i64 %n.2.0.i, 2
  %.1300.i = icmp slt i64 %stop.3.0.i836.i, %.313.i
  br i1 %.1300.i, label %B978.i, label %B1236.i

B1236.i:                                          ; preds = %terms.new_node.exit.i, %B952.i
  %byte.2.1.i = phi i64 [ 0, %B952.i ], [ %.1108.i, %terms.new_node.exit.i ]
  %n.3.1.i = phi i64 [ %.578.i, %B952.i ], [ %.1292.i, %terms.new_node.exit.i ]
  %.1315.i = icmp slt i64 %groups.3.1.i, 2
  br i1 %.1315.i, label %B1314.i, label %B1328.i

B1314.i:                                          ; preds = %B1236.i
  %.1318.i = add nsw i64 %.203.i, -128
  %.1320.i = add nsw i64 %.1318.i, %byte.2.1.i
  %.1334.i = icmp slt i64 %.1320.i, 0
  %.1335.i = select i1 %.1334.i, i64 %.72, i64 0
  %34 = getelementptr i64, ptr %.78, i64 %.1320.i
  %.1349.i = getelementptr i64, ptr %34, i64 %.1335.i
  %.1350.i = load i64, ptr %.1349.i, align 8, !noalias !326
  %.1364.i = icmp slt i64 %.1350.i, 0
  br i1 %.1364.i, label %B1328.i, label %B1602.i

B1328.i:                                          ; preds = %B1314.i, %B1236.i
  %.1396.i = load i64, ptr %.49.i817.i, align 8, !noalias !326
  %.1397.i = add nsw i64 %.1396.i, 1
  store i64 %.1397.i, ptr %.49.i817.i, align 8, !noalias !326
  %.50.i.i871.i = load i64, ptr %.49.i808.i, align 8, !noalias !351
  %.83.i.i873.i = load i64, ptr %.29, align 8, !noalias !351
  %.84.not.not.i.i874.i = icmp slt i64 %.50.i.i871.i, %.83.i.i873.i
  br i1 %.84.not.not.i.i874.i, label %B62.i878.i, label %views.lacks.13.exit.i875.i

views.lacks.13.exit.i875.i:                       ; preds = %B1328.i
  %.122.i.i876.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 0, ptr %.122.i.i876.i, align 8, !noalias !351
  br label %terms.new_node.exit893.i

B62.i878.i:                                       ; preds = %B1328.i
  %.98.i879.i = load i64, ptr %arg.m.4, align 8, !noalias !356
  %.107.i880.i = inttoptr i64 %.98.i879.i to ptr
  %.212.i881.i = icmp slt i64 %.50.i.i871.i, 0
  %.213.i882.i = select i1 %.212.i881.i, i64 %.83.i.i873.i, i64 0
  %.214.i883.i = add i64 %.213.i882.i, %.50.i.i871.i
  %.238.idx.i884.i = shl i64 %.214.i883.i, 6
  %.238.i885.i = getelementptr i8, ptr %.107.i880.i, i64 %.238.idx.i884.i
  store i64 1, ptr %.238.i885.i, align 8, !noalias !356
  %.291.i886.i = getelementptr i8, ptr %.238.i885.i, i64 8
  store i64 %.50.i818.i, ptr %.291.i886.i, align 8, !noalias !356
  %.344.i887.i = getelementptr i8, ptr %.238.i885.i, i64 16
  %.559.i891.i = getelementptr i8, ptr %.238.i885.i, i64 48
  %.614.i892.i = add nsw i64 %.50.i.i871.i, 1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %.344.i887.i, i8 0, i64 32, i1 false), !noalias !326
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.559.i891.i, i8 -1, i64 16, i1 false), !noalias !356
  store i64 %.614.i892.i, ptr %.49.i808.i, align 8, !noalias !356
  br label %terms.new_node.exit893.i

terms.new_node.exit893.i:                         ; preds = %B62.i878.i, %views.lacks.13.exit.i875.i
  %storemerge.i877.i = phi i64 [ %.50.i.i871.i, %B62.i878.i ], [ -3, %views.lacks.13.exit.i875.i ]
  br i1 %.1315.i, label %B1570.i, label %B1602.i

B1570.i:                                          ; preds = %terms.new_node.exit893.i
  %.1474.i = add nsw i64 %.203.i, -128
  %.1476.i = add nsw i64 %.1474.i, %byte.2.1.i
  %.1493.i = icmp slt i64 %.1476.i, 0
  %.1494.i = select i1 %.1493.i, i64 %.72, i64 0
  %35 = getelementptr i64, ptr %.78, i64 %.1476.i
  %.1508.i = getelementptr i64, ptr %35, i64 %.1494.i
  store i64 %storemerge.i877.i, ptr %.1508.i, align 8, !noalias !326
  br label %B1602.i

B1602.i:                                          ; preds = %B1570.i, %terms.new_node.exit893.i, %B1314.i
  %plain.2.0.i = phi i64 [ %storemerge.i877.i, %B1570.i ], [ %storemerge.i877.i, %terms.new_node.exit893.i ], [ %.1350.i, %B1314.i ]
  %.50.i.i895.i = load i64, ptr %.49.i808.i, align 8, !noalias !357
  %.83.i.i897.i = load i64, ptr %.29, align 8, !noalias !357
  %.84.not.not.i.i898.i = icmp slt i64 %.50.i.i895.i, %.83.i.i897.i
  br i1 %.84.not.not.i.i898.i, label %B62.i902.i, label %views.lacks.13.exit.i899.i

views.lacks.13.exit.i899.i:                       ; preds = %B1602.i
  %.122.i.i900.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 0, ptr %.122.i.i900.i, align 8, !noalias !357
  br label %terms.new_node.exit917.i

B62.i902.i:                                       ; preds = %B1602.i
  %.98.i903.i = load i64, ptr %arg.m.4, align 8, !noalias !362
  %.107.i904.i = inttoptr i64 %.98.i903.i to ptr
  %.212.i905.i = icmp slt i64 %.50.i.i895.i, 0
  %.213.i906.i = select i1 %.212.i905.i, i64 %.83.i.i897.i, i64 0
  %.214.i907.i = add i64 %.213.i906.i, %.50.i.i895.i
  %.238.idx.i908.i = shl i64 %.214.i907.i, 6
  %.238.i909.i = getelementptr i8, ptr %.107.i904.i, i64 %.238.idx.i908.i
  store i64 10, ptr %.238.i909.i, align 8, !noalias !362
  %.291.i910.i = getelementptr i8, ptr %.238.i909.i, i64 8
  store i64 %arg.node, ptr %.291.i910.i, align 8, !noalias !362
  %.344.i911.i = getelementptr i8, ptr %.238.i909.i, i64 16
  %.559.i915.i = getelementptr i8, ptr %.238.i909.i, i64 48
  %.614.i916.i = add nsw i64 %.50.i.i895.i, 1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %.344.i911.i, i8 0, i64 32, i1 false), !noalias !326
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.559.i915.i, i8 -1, i64 16, i1 false), !noalias !362
  store i64 %.614.i916.i, ptr %.49.i808.i, align 8, !noalias !362
  br label %terms.new_node.exit917.i

terms.new_node.exit917.i:                         ; preds = %B62.i902.i, %views.lacks.13.exit.i899.i
  %storemerge.i901.i = phi i64 [ %.50.i.i895.i, %B62.i902.i ], [ -3, %views.lacks.13.exit.i899.i ]
  %.1565.i = icmp slt i64 %n.3.1.i, 0
  %.1566.i = select i1 %.1565.i, i64 %.72, i64 0
  %36 = getelementptr i64, ptr %.78, i64 %n.3.1.i
  %.1580.i = getelementptr i64, ptr %36, i64 %.1566.i
  store i64 %plain.2.0.i, ptr %.1580.i, align 8, !noalias !326
  %.1600.i = icmp slt i64 %n.3.1.i, -1
  %.1601.i = select i1 %.1600.i, i64 %.72, i64 0
  %37 = getelementptr i8, ptr %36, i64 8
  %.1615.i = getelementptr i64, ptr %37, i64 %.1601.i
  store i64 %.753.i, ptr %.1615.i, align 8, !noalias !326
  %.1634.i = icmp slt i64 %.203.i, 131
  %.1635.i = select i1 %.1634.i, i64 %.72, i64 0
  %38 = getelementptr i8, ptr %10, i64 -1048
  %.1649.i = getelementptr i64, ptr %38, i64 %.1635.i
  %.1650.i = load i64, ptr %.1649.i, align 8, !noalias !326
  %.1666.i = icmp slt i64 %n.3.1.i, -2
  %.1667.i = select i1 %.1666.i, i64 %.72, i64 0
  %39 = getelementptr i8, ptr %36, i64 16
  %.1681.i = getelementptr i64, ptr %39, i64 %.1667.i
  store i64 %.1650.i, ptr %.1681.i, align 8, !noalias !326
  %.1699.i = icmp slt i64 %n.3.1.i, -3
  %.1700.i = select i1 %.1699.i, i64 %.72, i64 0
  %40 = getelementptr i8, ptr %36, i64 24
  %.1714.i = getelementptr i64, ptr %40, i64 %.1700.i
  store i64 %.753.i, ptr %.1714.i, align 8, !noalias !326
  %.1733.i = icmp slt i64 %n.3.1.i, -4
  %.1734.i = select i1 %.1733.i, i64 %.72, i64 0
  %41 = getelementptr i8, ptr %36, i64 32
  %.1748.i = getelementptr i64, ptr %41, i64 %.1734.i
  store i64 93, ptr %.1748.i, align 8, !noalias !326
  %.1765.i = icmp slt i64 %n.3.1.i, -5
  %.1766.i = select i1 %.1765.i, i64 %.72, i64 0
  %42 = getelementptr i8, ptr %36, i64 40
  %.1780.i = getelementptr i64, ptr %42, i64 %.1766.i
  store i64 %storemerge.i901.i, ptr %.1780.i, align 8, !noalias !326
  br i1 %.460.i, label %B1956.i, label %B1912.i

B1912.i:                                          ; preds = %terms.new_node.exit917.i
  %.1801.i = icmp slt i64 %n.3.1.i, -6
  %.1802.i = select i1 %.1801.i, i64 %.72, i64 0
  %43 = getelementptr i8, ptr %36, i64 48
  %.1816.i = getelementptr i64, ptr %43, i64 %.1802.i
  store i64 35, ptr %.1816.i, align 8, !noalias !326
  %.1835.i = icmp slt i64 %n.3.1.i, -7
  %.1836.i = select i1 %.1835.i, i64 %.72, i64 0
  %44 = getelementptr i8, ptr %36, i64 56
  %.1850.i = getelementptr i64, ptr %44, i64 %.1836.i
  store i64 0, ptr %.1850.i, align 8, !noalias !326
  br label %B1956.i

B1956.i:                                          ; preds = %B1912.i, %terms.new_node.exit917.i
  %.1870.i = icmp slt i64 %.50.i.i, 0
  %.1871.i = select i1 %.1870.i, i64 %.72, i64 0
  %45 = getelementptr i64, ptr %.78, i64 %.50.i.i
  %.1885.i = getelementptr i64, ptr %45, i64 %.1871.i
  store i64 %.567.i, ptr %.1885.i, align 8, !noalias !326
  store i64 %.51.i.i, ptr %.49.i.i, align 8, !noalias !326
  store i64 %.50.i.i, ptr %.157, align 8, !noalias !326
  br label %common.ret

B398:                                             ; preds = %B156
  %.49.i.i834 = getelementptr i8, ptr %arg.m.4, i64 32
  %.50.i.i835 = load i64, ptr %.49.i.i834, align 8, !noalias !363
  %.51.i.i836 = add nsw i64 %.50.i.i835, 7
  %.84.not.i.i837 = icmp sgt i64 %.51.i.i836, %.72
  br i1 %.84.not.i.i837, label %views.lacks.12.exit.i, label %B132.i

views.lacks.12.exit.i:                            ; preds = %B398
  %.122.i.i859 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 3, ptr %.122.i.i859, align 8, !noalias !363
  br label %common.ret

B132.i:                                           ; preds = %B398
  %.49.i511.i = getelementptr i8, ptr %arg.m.4, i64 8
  %.50.i512.i = load i64, ptr %.49.i511.i, align 8, !noalias !368
  %.84.not.not.i.i838 = icmp slt i64 %.50.i512.i, %.30
  br i1 %.84.not.not.i.i838, label %B190.i, label %views.lacks.13.exit.i

views.lacks.13.exit.i:                            ; preds = %B132.i
  %.122.i516.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 0, ptr %.122.i516.i, align 8, !noalias !368
  br label %common.ret

B190.i:                                           ; preds = %B132.i
  %.245.i = getelementptr i8, ptr %0, i64 8
  %.246.i = load i64, ptr %.245.i, align 8, !noalias !371
  %.277.i = icmp slt i64 %.246.i, 0
  %.278.i = select i1 %.277.i, i64 %.30, i64 0
  %.279.i = add i64 %.278.i, %.246.i
  %.idx5.i = shl i64 %.279.i, 6
  %46 = getelementptr i8, ptr %.36, i64 %.idx5.i
  %.303.i = getelementptr i8, ptr %46, i64 8
  %.304.i = load i64, ptr %.303.i, align 8, !noalias !371
  %.359.i = getelementptr i8, ptr %46, i64 48
  %.360.i = load i64, ptr %.359.i, align 8, !noalias !371
  %.379.i = icmp slt i64 %.304.i, 132
  %.380.i = select i1 %.379.i, i64 %.72, i64 0
  %47 = getelementptr i64, ptr %.78, i64 %.304.i
  %48 = getelementptr i8, ptr %47, i64 -1056
  %.394.i = getelementptr i64, ptr %48, i64 %.380.i
  %.395.i = load i64, ptr %.394.i, align 8, !noalias !371
  %.418.i = icmp slt i64 %.360.i, 0
  %.419.i = select i1 %.418.i, i64 %.72, i64 0
  %49 = getelementptr i64, ptr %.78, i64 %.360.i
  %.433.i = getelementptr i64, ptr %49, i64 %.419.i
  %.434.i = load i64, ptr %.433.i, align 8, !noalias !371
  %.5166.not.i = icmp slt i64 %.434.i, 1
  br i1 %.5166.not.i, label %B454.i, label %B402.if.preheader.i

B402.if.preheader.i:                              ; preds = %B190.i
  %.403.i = add nsw i64 %.360.i, 1
  %xtraiter = and i64 %.434.i, 1
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B402.if.i.prol.loopexit, label %B402.if.i.prol

B402.if.i.prol:                                   ; preds = %B402.if.preheader.i
  %.525.i.prol = add nsw i64 %.434.i, -1
  %.529.i.prol = add i64 %.360.i, 3
  %.577.i840.prol = icmp slt i64 %.360.i, -1
  %.578.i841.prol = select i1 %.577.i840.prol, i64 %.72, i64 0
  %50 = getelementptr i64, ptr %.78, i64 %.403.i
  %.592.i.prol = getelementptr i64, ptr %50, i64 %.578.i841.prol
  %.593.i.prol = load i64, ptr %.592.i.prol, align 8, !noalias !371
  %.594.i.prol = icmp eq i64 %.593.i.prol, 48
  br i1 %.594.i.prol, label %B430.i.prol, label %B402.if.i.prol.loopexit

B430.i.prol:                                      ; preds = %B402.if.i.prol
  %.613.i.prol = icmp slt i64 %.360.i, -2
  %.614.i.prol = select i1 %.613.i.prol, i64 %.72, i64 0
  %51 = getelementptr i8, ptr %50, i64 8
  %.628.i.prol = getelementptr i64, ptr %51, i64 %.614.i.prol
  %.629.i.prol = load i64, ptr %.628.i.prol, align 8, !noalias !371
  br label %B402.if.i.prol.loopexit

B402.if.i.prol.loopexit:                          ; preds = %B402.if.i.prol, %B430.i.prol, %B402.if.preheader.i
  %slash.2.09.i.unr = phi i64 [ %.395.i, %B402.if.preheader.i ], [ %.629.i.prol, %B430.i.prol ], [ %.395.i, %B402.if.i.prol ]
  %.463.08.i.unr = phi i64 [ %.434.i, %B402.if.preheader.i ], [ %.525.i.prol, %B430.i.prol ], [ %.525.i.prol, %B402.if.i.prol ]
  %.460.07.i.unr = phi i64 [ %.403.i, %B402.if.preheader.i ], [ %.529.i.prol, %B430.i.prol ], [ %.529.i.prol, %B402.if.i.prol ]
  %slash.3.1.i.lcssa.unr = phi i64 [ poison, %B402.if.preheader.i ], [ %.629.i.prol, %B430.i.prol ], [ %.395.i, %B402.if.i.prol ]
  %52 = icmp eq i64 %.434.i, 1
  br i1 %52, label %B454.i, label %B402.if.i

B430.i:                                           ; preds = %B402.if.i
  %.613.i = icmp slt i64 %.460.07.i, -1
  %.614.i = select i1 %.613.i, i64 %.72, i64 0
  %53 = getelementptr i8, ptr %65, i64 8
  %.628.i = getelementptr i64, ptr %53, i64 %.614.i
  %.629.i = load i64, ptr %.628.i, align 8, !noalias !371
  br label %B452.i

B452.i:                                           ; preds = %B402.if.i, %B430.i
  %slash.3.1.i = phi i64 [ %.629.i, %B430.i ], [ %slash.2.09.i, %B402.if.i ]
  %.525.i.1 = add nsw i64 %.463.08.i, -2
  %.529.i.1 = add i64 %.460.07.i, 4
  %.577.i840.1 = icmp slt i64 %.529.i, 0
  %.578.i841.1 = select i1 %.577.i840.1, i64 %.72, i64 0
  %54 = getelementptr i64, ptr %.78, i64 %.529.i
  %.592.i.1 = getelementptr i64, ptr %54, i64 %.578.i841.1
  %.593.i.1 = load i64, ptr %.592.i.1, align 8, !noalias !371
  %.594.i.1 = icmp eq i64 %.593.i.1, 48
  br i1 %.594.i.1, label %B430.i.1, label %B452.i.1

B430.i.1:                                         ; preds = %B452.i
  %.613.i.1 = icmp slt i64 %.529.i, -1
  %.614.i.1 = select i1 %.613.i.1, i64 %.72, i64 0
  %55 = getelementptr i8, ptr %54, i64 8
  %.628.i.1 = getelementptr i64, ptr %55, i64 %.614.i.1
  %.629.i.1 = load i64, ptr %.628.i.1, align 8, !noalias !371
  br label %B452.i.1

B452.i.1:                                         ; preds = %B430.i.1, %B452.i
  %slash.3.1.i.1 = phi i64 [ %.629.i.1, %B430.i.1 ], [ %slash.3.1.i, %B452.i ]
  %.516.i.1 = icmp sgt i64 %.463.08.i, 2
  br i1 %.516.i.1, label %B402.if.i, label %B454.i

B454.i:                                           ; preds = %B402.if.i.prol.loopexit, %B452.i.1, %B190.i
  %slash.2.0.lcssa.i = phi i64 [ %.395.i, %B190.i ], [ %slash.3.1.i.lcssa.unr, %B402.if.i.prol.loopexit ], [ %slash.3.1.i.1, %B452.i.1 ]
  %.694.i = icmp slt i64 %.304.i, 129
  %.695.i = select i1 %.694.i, i64 %.72, i64 0
  %56 = getelementptr i8, ptr %47, i64 -1032
  %.709.i = getelementptr i64, ptr %56, i64 %.695.i
  %.710.i = load i64, ptr %.709.i, align 8, !noalias !371
  %.725.i = icmp slt i64 %.50.i.i835, 0
  %.726.i = select i1 %.725.i, i64 %.72, i64 0
  %57 = getelementptr i64, ptr %.78, i64 %.50.i.i835
  %.740.i = getelementptr i64, ptr %57, i64 %.726.i
  store i64 1, ptr %.740.i, align 8, !noalias !371
  %.743.i = add nsw i64 %.50.i.i835, 1
  %.757.i = icmp slt i64 %.50.i.i835, -1
  %.758.i = select i1 %.757.i, i64 %.72, i64 0
  %58 = getelementptr i64, ptr %.78, i64 %.743.i
  %.772.i = getelementptr i64, ptr %58, i64 %.758.i
  store i64 %.710.i, ptr %.772.i, align 8, !noalias !371
  %.790.i = icmp slt i64 %.50.i.i835, -2
  %.791.i = select i1 %.790.i, i64 %.72, i64 0
  %59 = getelementptr i8, ptr %57, i64 16
  %.805.i = getelementptr i64, ptr %59, i64 %.791.i
  store i64 %.395.i, ptr %.805.i, align 8, !noalias !371
  %.824.i = icmp slt i64 %.304.i, 130
  %.825.i = select i1 %.824.i, i64 %.72, i64 0
  %60 = getelementptr i8, ptr %47, i64 -1040
  %.839.i = getelementptr i64, ptr %60, i64 %.825.i
  %.840.i = load i64, ptr %.839.i, align 8, !noalias !371
  %.841.i = icmp sgt i64 %.840.i, -1
  br i1 %.841.i, label %B598.i, label %B880.i

B598.i:                                           ; preds = %B454.i
  store i64 3, ptr %.740.i, align 8, !noalias !371
  %.889.i = icmp slt i64 %.50.i.i835, -3
  %.890.i = select i1 %.889.i, i64 %.72, i64 0
  %61 = getelementptr i8, ptr %57, i64 24
  %.904.i = getelementptr i64, ptr %61, i64 %.890.i
  store i64 48, ptr %.904.i, align 8, !noalias !371
  %.922.i = icmp slt i64 %.50.i.i835, -4
  %.923.i = select i1 %.922.i, i64 %.72, i64 0
  %62 = getelementptr i8, ptr %57, i64 32
  %.937.i = getelementptr i64, ptr %62, i64 %.923.i
  store i64 %slash.2.0.lcssa.i, ptr %.937.i, align 8, !noalias !371
  %.974.i = load i64, ptr %.839.i, align 8, !noalias !371
  %.990.i = icmp slt i64 %.50.i.i835, -5
  %.991.i = select i1 %.990.i, i64 %.72, i64 0
  %63 = getelementptr i8, ptr %57, i64 40
  %.1005.i = getelementptr i64, ptr %63, i64 %.991.i
  store i64 %.974.i, ptr %.1005.i, align 8, !noalias !371
  %.50.i.i.i842 = load i64, ptr %.49.i511.i, align 8, !noalias !372
  %.83.i.i.i843 = load i64, ptr %.29, align 8, !noalias !372
  %.84.not.not.i.i.i844 = icmp slt i64 %.50.i.i.i842, %.83.i.i.i843
  br i1 %.84.not.not.i.i.i844, label %B62.i519.i, label %views.lacks.13.exit.i.i845

views.lacks.13.exit.i.i845:                       ; preds = %B598.i
  %.122.i.i.i846 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 0, ptr %.122.i.i.i846, align 8, !noalias !372
  br label %terms.new_node.exit.i847

B62.i519.i:                                       ; preds = %B598.i
  %.98.i.i848 = load i64, ptr %arg.m.4, align 8, !noalias !377
  %.107.i.i849 = inttoptr i64 %.98.i.i848 to ptr
  %.212.i.i850 = icmp slt i64 %.50.i.i.i842, 0
  %.213.i.i851 = select i1 %.212.i.i850, i64 %.83.i.i.i843, i64 0
  %.214.i.i852 = add i64 %.213.i.i851, %.50.i.i.i842
  %.238.idx.i.i853 = shl i64 %.214.i.i852, 6
  %.238.i.i854 = getelementptr i8, ptr %.107.i.i849, i64 %.238.idx.i.i853
  store i64 6, ptr %.238.i.i854, align 8, !noalias !377
  %.291.i.i855 = getelementptr i8, ptr %.238.i.i854, i64 8
  store i64 %.246.i, ptr %.291.i.i855, align 8, !noalias !377
  %.344.i.i856 = getelementptr i8, ptr %.238.i.i854, i64 16
  %.559.i.i857 = getelementptr i8, ptr %.238.i.i854, i64 48
  %.614.i.i858 = add nsw i64 %.50.i.i.i842, 1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %.344.i.i856, i8 0, i64 32, i1 false), !noalias !371
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.559.i.i857, i8 -1, i64 16, i1 false), !noalias !377
  store i64 %.614.i.i858, ptr %.49.i511.i, align 8, !noalias !377
  br label %terms.new_node.exit.i847

terms.new_node.exit.i847:                         ; preds = %B62.i519.i, %views.lacks.13.exit.i.i845
  %storemerge.i518.i = phi i64 [ %.50.i.i.i842, %B62.i519.i ], [ -3, %views.lacks.13.exit.i.i845 ]
  %.1053.i = icmp slt i64 %.50.i.i835, -6
  %.1054.i = select i1 %.1053.i, i64 %.72, i64 0
  %64 = getelementptr i8, ptr %57, i64 48
  %.1068.i = getelementptr i64, ptr %64, i64 %.1054.i
  store i64 %storemerge.i518.i, ptr %.1068.i, align 8, !noalias !371
  br label %B880.i

B880.i:                                           ; preds = %terms.new_node.exit.i847, %B454.i
  %.1109.i = load i64, ptr %.740.i, align 8, !noalias !371
  %.1112.i = shl nsw i64 %.1109.i, 1
  %.1113.i = add nsw i64 %.1112.i, %.743.i
  store i64 %.1113.i, ptr %.49.i.i834, align 8, !noalias !371
  store i64 %.50.i.i835, ptr %.157, align 8, !noalias !371
  br label %common.ret

B402.if.i:                                        ; preds = %B402.if.i.prol.loopexit, %B452.i.1
  %slash.2.09.i = phi i64 [ %slash.3.1.i.1, %B452.i.1 ], [ %slash.2.09.i.unr, %B402.if.i.prol.loopexit ]
  %.463.08.i = phi i64 [ %.525.i.1, %B452.i.1 ], [ %.463.08.i.unr, %B402.if.i.prol.loopexit ]
  %.460.07.i = phi i64 [ %.529.i.1, %B452.i.1 ], [ %.460.07.i.unr, %B402.if.i.prol.loopexit ]
  %.529.i = add i64 %.460.07.i, 2
  %.577.i840 = icmp slt i64 %.460.07.i, 0
  %.578.i841 = select i1 %.577.i840, i64 %.72, i64 0
  %65 = getelementptr i64, ptr %.78, i64 %.460.07.i
  %.592.i = getelementptr i64, ptr %65, i64 %.578.i841
  %.593.i = load i64, ptr %.592.i, align 8, !noalias !371
  %.594.i = icmp eq i64 %.593.i, 48
  br i1 %.594.i, label %B430.i, label %B452.i

B430:                                             ; preds = %B156
  %.659 = getelementptr i8, ptr %0, i64 8
  %.660 = load i64, ptr %.659, align 8
  %.714 = getelementptr i8, ptr %0, i64 16
  %.715 = load i64, ptr %.714, align 8
  %.769 = getelementptr i8, ptr %0, i64 24
  %.770 = load i64, ptr %.769, align 8
  %.824 = getelementptr i8, ptr %0, i64 32
  %.825 = load i64, ptr %.824, align 8
  %.848 = add nsw i64 %.715, %.660
  %.863 = icmp slt i64 %.848, -1
  %.864 = select i1 %.863, i64 %.72, i64 0
  %66 = getelementptr i64, ptr %.78, i64 %.848
  %67 = getelementptr i8, ptr %66, i64 8
  %.878 = getelementptr i64, ptr %67, i64 %.864
  %.879 = load i64, ptr %.878, align 8
  %.896 = icmp slt i64 %.848, 0
  %.897 = select i1 %.896, i64 %.72, i64 0
  %.911 = getelementptr i64, ptr %66, i64 %.897
  %.912 = load i64, ptr %.911, align 8
  %.913 = sub nsw i64 %.879, %.912
  %.915 = icmp eq i64 %.913, %.825
  %.918 = zext i1 %.915 to i64
  %"$phi658.0.2.0" = add nsw i64 %.715, %.918
  %.948 = icmp slt i64 %"$phi658.0.2.0", %.770
  br i1 %.948, label %B680.preheader, label %B740

B680.preheader:                                   ; preds = %B430
  %68 = add nsw i64 %.770, -1
  br label %B680

B680:                                             ; preds = %B680.preheader, %terms.end_of_run.exit
  %i.4.0 = phi i64 [ %stop.3.0.i, %terms.end_of_run.exit ], [ %"$phi658.0.2.0", %B680.preheader ]
  %groups.2.0 = phi i64 [ %.951, %terms.end_of_run.exit ], [ 0, %B680.preheader ]
  %.26.i = add nsw i64 %i.4.0, %.660
  %.40.i = icmp slt i64 %.26.i, 0
  %.41.i = select i1 %.40.i, i64 %.72, i64 0
  %69 = getelementptr i64, ptr %.78, i64 %.26.i
  %.55.i = getelementptr i64, ptr %69, i64 %.41.i
  %.56.i = load i64, ptr %.55.i, align 8, !noalias !378
  %.58.i = add nsw i64 %.56.i, %.825
  %.72.i860 = icmp slt i64 %.58.i, 0
  %.73.i = select i1 %.72.i860, i64 %.72, i64 0
  %70 = getelementptr i64, ptr %.78, i64 %.58.i
  %.87.i = getelementptr i64, ptr %70, i64 %.73.i
  %.88.i = load i64, ptr %.87.i, align 8, !noalias !378
  %.89.i = add nsw i64 %i.4.0, 1
  %.102.i = icmp slt i64 %.89.i, %.770
  br i1 %.102.i, label %B66.i, label %terms.end_of_run.exit

B66.i:                                            ; preds = %B680
  %.113.i = add nsw i64 %.89.i, %.660
  %.129.i = icmp slt i64 %.113.i, 0
  %.130.i = select i1 %.129.i, i64 %.72, i64 0
  %71 = getelementptr i64, ptr %.78, i64 %.113.i
  %.144.i = getelementptr i64, ptr %71, i64 %.130.i
  %.145.i = load i64, ptr %.144.i, align 8, !noalias !378
  %.147.i = add nsw i64 %.145.i, %.825
  %.161.i = icmp slt i64 %.147.i, 0
  %.162.i = select i1 %.161.i, i64 %.72, i64 0
  %72 = getelementptr i64, ptr %.78, i64 %.147.i
  %.176.i861 = getelementptr i64, ptr %72, i64 %.162.i
  %.177.i862 = load i64, ptr %.176.i861, align 8, !noalias !378
  %.179.i = icmp eq i64 %.177.i862, %.88.i
  br i1 %.179.i, label %B114.i, label %terms.end_of_run.exit

B114.i:                                           ; preds = %B66.i, %B136.i
  %stop.2.1.i = phi i64 [ %.185.i, %B136.i ], [ %.89.i, %B66.i ]
  %exitcond.not.i863 = icmp eq i64 %stop.2.1.i, %68
  br i1 %exitcond.not.i863, label %terms.end_of_run.exit.thread, label %B136.i

terms.end_of_run.exit.thread:                     ; preds = %B114.i
  %.9512 = add nuw nsw i64 %groups.2.0, 1
  br label %B740

B136.i:                                           ; preds = %B114.i
  %.185.i = add nsw i64 %stop.2.1.i, 1
  %.206.i = add nsw i64 %.185.i, %.660
  %.222.i = icmp slt i64 %.206.i, 0
  %.223.i = select i1 %.222.i, i64 %.72, i64 0
  %73 = getelementptr i64, ptr %.78, i64 %.206.i
  %.237.i = getelementptr i64, ptr %73, i64 %.223.i
  %.238.i = load i64, ptr %.237.i, align 8, !noalias !378
  %.240.i = add nsw i64 %.238.i, %.825
  %.254.i = icmp slt i64 %.240.i, 0
  %.255.i = select i1 %.254.i, i64 %.72, i64 0
  %74 = getelementptr i64, ptr %.78, i64 %.240.i
  %.269.i = getelementptr i64, ptr %74, i64 %.255.i
  %.270.i = load i64, ptr %.269.i, align 8, !noalias !378
  %.272.i = icmp eq i64 %.270.i, %.88.i
  br i1 %.272.i, label %B114.i, label %terms.end_of_run.exit

terms.end_of_run.exit:                            ; preds = %B136.i, %B680, %B66.i
  %stop.3.0.i = phi i64 [ %.89.i, %B66.i ], [ %.89.i, %B680 ], [ %.185.i, %B136.i ]
  %.951 = add nuw nsw i64 %groups.2.0, 1
  %.991 = icmp slt i64 %stop.3.0.i, %.770
  br i1 %.991, label %B680, label %B740

B740:                                             ; preds = %terms.end_of_run.exit, %terms.end_of_run.exit.thread, %B430
  %groups.3.1 = phi i64 [ %.9512, %terms.end_of_run.exit.thread ], [ 0, %B430 ], [ %.951, %terms.end_of_run.exit ]
  %.999 = shl nsw i64 %groups.3.1, 1
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 32
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !381
  %.1000 = add i64 %.50.i, 1
  %.51.i = add i64 %.1000, %.999
  %.84.not.i = icmp sgt i64 %.51.i, %.72
  br i1 %.84.not.i, label %B840, label %B796

B796:                                             ; preds = %B740
  %.49.i865 = getelementptr i8, ptr %arg.m.4, i64 8
  %.50.i866 = load i64, ptr %.49.i865, align 8, !noalias !384
  %.51.i867 = add nsw i64 %.50.i866, %groups.3.1
  %.84.not.i870 = icmp sgt i64 %.51.i867, %.30
  br i1 %.84.not.i870, label %B840, label %B854

B840:                                             ; preds = %B796, %B740
  %.sink = phi i64 [ 3, %B740 ], [ 0, %B796 ]
  %.122.i873 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 %.sink, ptr %.122.i873, align 8, !noalias !285
  br label %common.ret

B854:                                             ; preds = %B796
  %.1154 = icmp slt i64 %.50.i, 0
  %.1155 = select i1 %.1154, i64 %.72, i64 0
  %75 = getelementptr i64, ptr %.78, i64 %.50.i
  %.1169 = getelementptr i64, ptr %75, i64 %.1155
  store i64 %groups.3.1, ptr %.1169, align 8
  %.125110 = icmp sgt i64 %groups.3.1, 0
  br i1 %.125110, label %B930.if.lr.ph, label %B1310

B930.if.lr.ph:                                    ; preds = %B854
  %76 = add nsw i64 %.770, -1
  %.1464 = add nsw i64 %.825, 1
  %.122.i.i878 = getelementptr i8, ptr %arg.m.4, i64 816
  %.1534 = icmp eq i64 %.280, 9
  %.1551.inv = icmp sgt i64 %.660, 0
  %.1552 = select i1 %.1551.inv, i64 0, i64 %.72
  %77 = getelementptr i64, ptr %.78, i64 %.660
  %78 = getelementptr i8, ptr %77, i64 -8
  %.1566 = getelementptr i64, ptr %78, i64 %.1552
  %.1615 = add nsw i64 %.50.i, 2
  br label %B930.if

B1114:                                            ; preds = %terms.end_of_run.exit926
  %.50.i.i875 = load i64, ptr %.49.i865, align 8, !noalias !387
  %.83.i.i = load i64, ptr %.29, align 8, !noalias !387
  %.84.not.not.i.i876 = icmp slt i64 %.50.i.i875, %.83.i.i
  br i1 %.84.not.not.i.i876, label %B62.i880, label %views.lacks.13.exit.i877

views.lacks.13.exit.i877:                         ; preds = %B1114
  store i64 0, ptr %.122.i.i878, align 8, !noalias !387
  br label %B1240

B62.i880:                                         ; preds = %B1114
  %.1486 = zext i1 %.1465 to i64
  %.98.i = load i64, ptr %arg.m.4, align 8, !noalias !392
  %.107.i881 = inttoptr i64 %.98.i to ptr
  %.212.i = icmp slt i64 %.50.i.i875, 0
  %.213.i = select i1 %.212.i, i64 %.83.i.i, i64 0
  %.214.i = add i64 %.213.i, %.50.i.i875
  %.238.idx.i = shl i64 %.214.i, 6
  %.238.i882 = getelementptr i8, ptr %.107.i881, i64 %.238.idx.i
  store i64 %.280, ptr %.238.i882, align 8, !noalias !392
  %.291.i = getelementptr i8, ptr %.238.i882, i64 8
  store i64 %.660, ptr %.291.i, align 8, !noalias !392
  %.344.i = getelementptr i8, ptr %.238.i882, i64 16
  store i64 %i.5.013, ptr %.344.i, align 8, !noalias !392
  %.397.i = getelementptr i8, ptr %.238.i882, i64 24
  store i64 %stop.3.0.i896, ptr %.397.i, align 8, !noalias !392
  %.450.i = getelementptr i8, ptr %.238.i882, i64 32
  store i64 %.1464, ptr %.450.i, align 8, !noalias !392
  %.504.i = getelementptr i8, ptr %.238.i882, i64 40
  store i64 %.1486, ptr %.504.i, align 8, !noalias !392
  %.559.i = getelementptr i8, ptr %.238.i882, i64 48
  %.614.i883 = add nsw i64 %.50.i.i875, 1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.559.i, i8 -1, i64 16, i1 false), !noalias !392
  store i64 %.614.i883, ptr %.49.i865, align 8, !noalias !392
  br label %B1240

B1190:                                            ; preds = %terms.end_of_run.exit926
  br i1 %.1534, label %B1212, label %B1240

B1212:                                            ; preds = %B1190
  %.1567 = load i64, ptr %.1566, align 8
  %.1569 = add nsw i64 %.1567, %i.5.013
  br label %B1240

B1240:                                            ; preds = %B62.i880, %views.lacks.13.exit.i877, %B1212, %B1190
  %tail.3.1 = phi i64 [ %.1569, %B1212 ], [ 0, %B1190 ], [ %.50.i.i875, %B62.i880 ], [ -3, %views.lacks.13.exit.i877 ]
  %.1576 = add nsw i64 %.1356, 1
  %.1583 = add nsw i64 %.1000, %81
  %.1597 = icmp slt i64 %.1583, 0
  %.1598 = select i1 %.1597, i64 %.72, i64 0
  %79 = getelementptr i64, ptr %.78, i64 %.1583
  %.1612 = getelementptr i64, ptr %79, i64 %.1598
  store i64 %.1576, ptr %.1612, align 8
  %.1620 = add nsw i64 %.1615, %81
  %.1635 = icmp slt i64 %.1620, 0
  %.1636 = select i1 %.1635, i64 %.72, i64 0
  %80 = getelementptr i64, ptr %.78, i64 %.1620
  %.1650 = getelementptr i64, ptr %80, i64 %.1636
  store i64 %tail.3.1, ptr %.1650, align 8
  %exitcond.not = icmp eq i64 %.1264, %groups.3.1
  br i1 %exitcond.not, label %B1310, label %B930.if

B1310:                                            ; preds = %B1240, %B854
  store i64 %.51.i, ptr %.49.i, align 8
  store i64 %.50.i, ptr %.157, align 8
  br label %common.ret

B930.if:                                          ; preds = %B930.if.lr.ph, %B1240
  %i.5.013 = phi i64 [ %"$phi658.0.2.0", %B930.if.lr.ph ], [ %stop.3.0.i896, %B1240 ]
  %.1195.011 = phi i64 [ 0, %B930.if.lr.ph ], [ %.1264, %B1240 ]
  %.1264 = add nuw nsw i64 %.1195.011, 1
  %81 = shl nuw nsw i64 %.1195.011, 1
  %.1294 = add nsw i64 %i.5.013, %.660
  %.1308 = icmp slt i64 %.1294, 0
  %.1309 = select i1 %.1308, i64 %.72, i64 0
  %82 = getelementptr i64, ptr %.78, i64 %.1294
  %.1323 = getelementptr i64, ptr %82, i64 %.1309
  %.1324 = load i64, ptr %.1323, align 8
  %.1326 = add nsw i64 %.1324, %.825
  %.1340 = icmp slt i64 %.1326, 0
  %.1341 = select i1 %.1340, i64 %.72, i64 0
  %83 = getelementptr i64, ptr %.78, i64 %.1326
  %.1355 = getelementptr i64, ptr %83, i64 %.1341
  %.1356 = load i64, ptr %.1355, align 8
  %.89.i894 = add nsw i64 %i.5.013, 1
  %.102.i895 = icmp slt i64 %.89.i894, %.770
  br i1 %.102.i895, label %B66.i897, label %terms.end_of_run.exit926

B66.i897:                                         ; preds = %B930.if
  %.113.i898 = add nsw i64 %.89.i894, %.660
  %.129.i899 = icmp slt i64 %.113.i898, 0
  %.130.i900 = select i1 %.129.i899, i64 %.72, i64 0
  %84 = getelementptr i64, ptr %.78, i64 %.113.i898
  %.144.i901 = getelementptr i64, ptr %84, i64 %.130.i900
  %.145.i902 = load i64, ptr %.144.i901, align 8, !noalias !393
  %.147.i903 = add nsw i64 %.145.i902, %.825
  %.161.i904 = icmp slt i64 %.147.i903, 0
  %.162.i905 = select i1 %.161.i904, i64 %.72, i64 0
  %85 = getelementptr i64, ptr %.78, i64 %.147.i903
  %.176.i906 = getelementptr i64, ptr %85, i64 %.162.i905
  %.177.i907 = load i64, ptr %.176.i906, align 8, !noalias !393
  %.179.i908 = icmp eq i64 %.177.i907, %.1356
  br i1 %.179.i908, label %B114.i910, label %terms.end_of_run.exit926

B114.i910:                                        ; preds = %B66.i897, %B136.i913
  %stop.2.1.i911 = phi i64 [ %.185.i914, %B136.i913 ], [ %.89.i894, %B66.i897 ]
  %exitcond.not.i912 = icmp eq i64 %stop.2.1.i911, %76
  br i1 %exitcond.not.i912, label %terms.end_of_run.exit926, label %B136.i913

B136.i913:                                        ; preds = %B114.i910
  %.185.i914 = add nsw i64 %stop.2.1.i911, 1
  %.206.i915 = add nsw i64 %.185.i914, %.660
  %.222.i916 = icmp slt i64 %.206.i915, 0
  %.223.i917 = select i1 %.222.i916, i64 %.72, i64 0
  %86 = getelementptr i64, ptr %.78, i64 %.206.i915
  %.237.i918 = getelementptr i64, ptr %86, i64 %.223.i917
  %.238.i919 = load i64, ptr %.237.i918, align 8, !noalias !393
  %.240.i920 = add nsw i64 %.238.i919, %.825
  %.254.i921 = icmp slt i64 %.240.i920, 0
  %.255.i922 = select i1 %.254.i921, i64 %.72, i64 0
  %87 = getelementptr i64, ptr %.78, i64 %.240.i920
  %.269.i923 = getelementptr i64, ptr %87, i64 %.255.i922
  %.270.i924 = load i64, ptr %.269.i923, align 8, !noalias !393
  %.272.i925 = icmp eq i64 %.270.i924, %.1356
  br i1 %.272.i925, label %B114.i910, label %terms.end_of_run.exit926

terms.end_of_run.exit926:                         ; preds = %B114.i910, %B136.i913, %B930.if, %B66.i897
  %stop.3.0.i896 = phi i64 [ %.89.i894, %B66.i897 ], [ %.89.i894, %B930.if ], [ %.770, %B114.i910 ], [ %.185.i914, %B136.i913 ]
  %.1412 = icmp slt i64 %.1294, -1
  %.1413 = select i1 %.1412, i64 %.72, i64 0
  %88 = getelementptr i8, ptr %82, i64 8
  %.1427 = getelementptr i64, ptr %88, i64 %.1413
  %.1428 = load i64, ptr %.1427, align 8
  %.1462 = sub nsw i64 %.1428, %.1324
  %.1465 = icmp eq i64 %.1462, %.1464
  %.1477 = icmp eq i64 %stop.3.0.i896, %.89.i894
  %or.cond = and i1 %.1477, %.1465
  br i1 %or.cond, label %B1190, label %B1114
}

define internal fastcc void @leaves.open_one(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.node, i64 %arg.after, i64 %arg.size, i64 %arg.count) unnamed_addr {
entry:
  %.91 = alloca i64, align 8
  %.137 = alloca i64, align 8
  %.28 = icmp eq i64 %arg.after, -3
  br i1 %.28, label %common.ret, label %B70

common.ret:                                       ; preds = %B252.i, %B238.i, %B124.i75, %B142, %entry, %B102
  %.224.sink.i.sink = phi i64 [ -3, %entry ], [ %arg.size, %B102 ], [ %.224.i, %B252.i ], [ -3, %B238.i ], [ -3, %B142 ], [ %arg.size, %B124.i75 ]
  %arg.count.sink = phi i64 [ %arg.count, %entry ], [ %.107, %B102 ], [ %arg.count, %B252.i ], [ %arg.count, %B238.i ], [ %arg.count, %B142 ], [ %arg.count, %B124.i75 ]
  store i64 %.224.sink.i.sink, ptr %retptr, align 8
  %retptr.repack68 = getelementptr inbounds i8, ptr %retptr, i64 8
  store i64 %arg.count.sink, ptr %retptr.repack68, align 8
  ret void

B70:                                              ; preds = %entry
  %arg.m.4.val = load i64, ptr %arg.m.4, align 8
  %0 = getelementptr i8, ptr %arg.m.4, i64 16
  %arg.m.4.val74 = load i64, ptr %0, align 8
  %.37.i = inttoptr i64 %arg.m.4.val to ptr
  %.91.i = icmp slt i64 %arg.node, 0
  %.92.i = select i1 %.91.i, i64 %arg.m.4.val74, i64 0
  %.93.i = add i64 %.92.i, %arg.node
  %.117.idx.i = shl i64 %.93.i, 6
  %.117.i = getelementptr i8, ptr %.37.i, i64 %.117.idx.i
  %.118.i = load i64, ptr %.117.i, align 8, !noalias !396
  %.119.i = icmp eq i64 %.118.i, 2
  br i1 %.119.i, label %B94.i, label %B124.i

B94.i:                                            ; preds = %B70
  %.176.i = getelementptr i8, ptr %.117.i, i64 8
  %.177.i = load i64, ptr %.176.i, align 8, !noalias !396
  br label %B124.i

B124.i:                                           ; preds = %B94.i, %B70
  %node.2.0.i = phi i64 [ %.177.i, %B94.i ], [ %arg.node, %B70 ]
  %.210.i = icmp slt i64 %node.2.0.i, 0
  %.211.i = select i1 %.210.i, i64 %arg.m.4.val74, i64 0
  %.212.i = add i64 %.211.i, %node.2.0.i
  %.236.idx.i = shl i64 %.212.i, 6
  %.236.i = getelementptr i8, ptr %.37.i, i64 %.236.idx.i
  %.237.i = load i64, ptr %.236.i, align 8, !noalias !396
  switch i64 %.237.i, label %B142 [
    i64 5, label %B176.i
    i64 1, label %B102
    i64 7, label %B328.i
  ]

B176.i:                                           ; preds = %B124.i
  %.299.i = getelementptr i8, ptr %.236.i, i64 24
  %.300.i = load i64, ptr %.299.i, align 8, !noalias !396
  %.354.i = getelementptr i8, ptr %.236.i, i64 16
  %.355.i = load i64, ptr %.354.i, align 8, !noalias !396
  %.356.i = add nsw i64 %.355.i, 1
  %.357.i = icmp eq i64 %.300.i, %.356.i
  br i1 %.357.i, label %leaves.is_leaf.exit, label %B142

B328.i:                                           ; preds = %B124.i
  %.503.i = getelementptr i8, ptr %.236.i, i64 16
  %.504.i = load i64, ptr %.503.i, align 8, !noalias !396
  %.507.i.not = icmp eq i64 %.504.i, 0
  br i1 %.507.i.not, label %B142, label %B102

leaves.is_leaf.exit:                              ; preds = %B176.i
  %.417.i = getelementptr i8, ptr %.236.i, i64 40
  %.418.i = load i64, ptr %.417.i, align 8, !noalias !396
  %.421.i = icmp eq i64 %.418.i, 0
  br i1 %.421.i, label %B102, label %B142

B102:                                             ; preds = %B328.i, %B124.i, %leaves.is_leaf.exit
  call fastcc void @leaves.append_leaf(ptr %.91, ptr nonnull %arg.m.4, i64 %arg.node, i64 %arg.after, i64 %arg.count)
  %.107 = load i64, ptr %.91, align 8
  br label %common.ret

B142:                                             ; preds = %B328.i, %B124.i, %B176.i, %leaves.is_leaf.exit
  store i64 0, ptr %.137, align 8
  call fastcc void @terms.push(ptr %.137, ptr nonnull %arg.m.4, i64 %arg.node, i64 %arg.after)
  %.153 = load i64, ptr %.137, align 8
  %.71.i = getelementptr i8, ptr %arg.m.4, i64 240
  %.72.i = load i64, ptr %.71.i, align 8, !noalias !399
  %.74.i = getelementptr i8, ptr %arg.m.4, i64 256
  %.75.i = load i64, ptr %.74.i, align 8, !noalias !399
  %.81.i = inttoptr i64 %.72.i to ptr
  %.108.i = icmp eq i64 %.153, -3
  br i1 %.108.i, label %common.ret, label %B124.i75

B124.i75:                                         ; preds = %B142
  %.29.i = getelementptr i8, ptr %arg.m.4, i64 48
  %.30.i = load i64, ptr %.29.i, align 8, !noalias !399
  %.39.i = inttoptr i64 %.30.i to ptr
  %.32.i = getelementptr i8, ptr %arg.m.4, i64 64
  %.33.i = load i64, ptr %.32.i, align 8, !noalias !399
  %.149.i = icmp slt i64 %.153, 0
  %.150.i = select i1 %.149.i, i64 %.33.i, i64 0
  %.151.i = add i64 %.150.i, %.153
  %.idx.i = shl i64 %.151.i, 6
  %1 = getelementptr i8, ptr %.39.i, i64 %.idx.i
  %.175.i = getelementptr i8, ptr %1, i64 40
  %.176.i76 = load i64, ptr %.175.i, align 8, !noalias !399
  %.205.i = getelementptr i8, ptr %arg.m.4, i64 832
  %.206.i = load i64, ptr %.205.i, align 8, !noalias !399
  %.207.i = icmp eq i64 %.176.i76, %.206.i
  br i1 %.207.i, label %common.ret, label %B188.i

B188.i:                                           ; preds = %B124.i75
  %.224.i = add nsw i64 %arg.size, 1
  %.49.i.i = getelementptr i8, ptr %arg.m.4, i64 248
  %.50.i.i = load i64, ptr %.49.i.i, align 8, !noalias !402
  %.51.i.i = add nsw i64 %.50.i.i, %.224.i
  %.84.not.i.i = icmp sgt i64 %.51.i.i, %.75.i
  br i1 %.84.not.i.i, label %B238.i, label %B252.i

B238.i:                                           ; preds = %B188.i
  %.122.i.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 30, ptr %.122.i.i, align 8, !noalias !402
  br label %common.ret

B252.i:                                           ; preds = %B188.i
  store i64 %.206.i, ptr %.175.i, align 8, !noalias !399
  %.380.i = icmp slt i64 %arg.size, 0
  %.381.i = select i1 %.380.i, i64 %.75.i, i64 0
  %2 = getelementptr i64, ptr %.81.i, i64 %arg.size
  %.395.i = getelementptr i64, ptr %2, i64 %.381.i
  store i64 %.153, ptr %.395.i, align 8, !noalias !399
  br label %common.ret
}

define internal fastcc i32 @classes.loop_of(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.state) unnamed_addr {
entry:
  %.729 = alloca i64, align 8
  %.1041 = alloca i64, align 8
  %.1091 = alloca i64, align 8
  %.1132 = alloca i64, align 8
  %.1187 = alloca i64, align 8
  %excinfo.7 = alloca ptr, align 8
  store ptr null, ptr %excinfo.7, align 8
  %.2079 = alloca i64, align 8
  store i64 0, ptr %.2079, align 8
  %excinfo.10 = alloca ptr, align 8
  store ptr null, ptr %excinfo.10, align 8
  %.26 = getelementptr i8, ptr %arg.m.4, i64 120
  %.27 = load i64, ptr %.26, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 136
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.69 = load i64, ptr %arg.m.4, align 8
  %.71 = getelementptr i8, ptr %arg.m.4, i64 16
  %.72 = load i64, ptr %.71, align 8
  %.78 = inttoptr i64 %.69 to ptr
  %.135 = icmp slt i64 %arg.state, 0
  %.136 = select i1 %.135, i64 %.30, i64 0
  %.137 = add i64 %.136, %arg.state
  %.idx35 = shl i64 %.137, 6
  %0 = getelementptr i8, ptr %.36, i64 %.idx35
  %.161 = getelementptr i8, ptr %0, i64 48
  %.162 = load i64, ptr %.161, align 8
  %.163.not = icmp eq i64 %.162, -2
  br i1 %.163.not, label %B166, label %B136

common.ret:                                       ; preds = %B1568.if, %B1104.if, %B1040.if, %B2202, %B1622, %B1158, %B1090, %B136
  %common.ret.op = phi i32 [ 0, %B136 ], [ 0, %B1090 ], [ 0, %B1158 ], [ 0, %B1622 ], [ 0, %B2202 ], [ 1, %B1568.if ], [ 1, %B1104.if ], [ 1, %B1040.if ]
  ret i32 %common.ret.op

B136:                                             ; preds = %entry
  store i64 %.162, ptr %retptr, align 8
  br label %common.ret

B166:                                             ; preds = %entry
  %.297 = getelementptr i8, ptr %0, i64 40
  %.298 = load i64, ptr %.297, align 8
  %.299 = icmp sgt i64 %.298, -1
  br i1 %.299, label %B266, label %B2202

B266:                                             ; preds = %B166
  %.313 = getelementptr i8, ptr %arg.m.4, i64 48
  %.314 = load i64, ptr %.313, align 8
  %.316 = getelementptr i8, ptr %arg.m.4, i64 64
  %.317 = load i64, ptr %.316, align 8
  %.323 = inttoptr i64 %.314 to ptr
  %.355 = getelementptr i8, ptr %arg.m.4, i64 96
  %.356 = load i64, ptr %.355, align 8
  %.358 = getelementptr i8, ptr %arg.m.4, i64 112
  %.359 = load i64, ptr %.358, align 8
  %.365 = inttoptr i64 %.356 to ptr
  %.393 = getelementptr i8, ptr %arg.m.4, i64 192
  %.394 = load i64, ptr %.393, align 8
  %.396 = getelementptr i8, ptr %arg.m.4, i64 208
  %.397 = load i64, ptr %.396, align 8
  %.403 = inttoptr i64 %.394 to ptr
  %.543.idx = shl i64 %.298, 6
  %.543 = getelementptr i8, ptr %.323, i64 %.543.idx
  %.544 = load i64, ptr %.543, align 8
  %.652 = getelementptr i8, ptr %.543, i64 8
  %.653 = load i64, ptr %.652, align 8
  %.690 = icmp slt i64 %.544, 0
  %.691 = select i1 %.690, i64 %.72, i64 0
  %.692 = add i64 %.691, %.544
  %.716.idx = shl i64 %.692, 6
  %.716 = getelementptr i8, ptr %.78, i64 %.716.idx
  %.717 = load i64, ptr %.716, align 8
  %.718 = icmp eq i64 %.717, 6
  br i1 %.718, label %B582, label %B698

B582:                                             ; preds = %B266
  store i64 0, ptr %.729, align 8
  call fastcc void @leaves.width_of(ptr %.729, ptr nonnull %arg.m.4, i64 %.544)
  %.745 = load i64, ptr %.729, align 8
  %.757 = icmp sgt i64 %.745, 0
  br i1 %.757, label %B622, label %B2202

B622:                                             ; preds = %B582
  %.812 = getelementptr i8, ptr %.716, i64 16
  %.813 = load i64, ptr %.812, align 8
  %.814 = shl i64 %.813, 3
  %.817 = add i64 %.814, -2
  br label %B2202

B698:                                             ; preds = %B266
  %.62.i = getelementptr i8, ptr %arg.m.4, i64 24
  %.63.i = load i64, ptr %.62.i, align 8, !noalias !405
  %.65.i = getelementptr i8, ptr %arg.m.4, i64 40
  %.66.i = load i64, ptr %.65.i, align 8, !noalias !405
  %.72.i = inttoptr i64 %.63.i to ptr
  %.150.i = getelementptr i8, ptr %.716, i64 8
  %.151.i = load i64, ptr %.150.i, align 8, !noalias !405
  %.182.i = icmp slt i64 %.151.i, 0
  %.183.i = select i1 %.182.i, i64 %.72, i64 0
  %.184.i = add i64 %.183.i, %.151.i
  %.208.idx.i = shl i64 %.184.i, 6
  %.208.i = getelementptr i8, ptr %.78, i64 %.208.idx.i
  %.209.i = load i64, ptr %.208.i, align 8, !noalias !405
  %.210.i = icmp eq i64 %.209.i, 3
  br i1 %.210.i, label %B166.i, label %B594.i

B166.i:                                           ; preds = %B698
  %.375.i = getelementptr i8, ptr %.208.i, i64 16
  %.376.i = load i64, ptr %.375.i, align 8, !noalias !405
  %.4595.not.i = icmp slt i64 %.376.i, 1
  br i1 %.4595.not.i, label %B594.i, label %B282.if.preheader.i

B282.if.preheader.i:                              ; preds = %B166.i
  %.265.i = getelementptr i8, ptr %.208.i, i64 8
  %.266.i = load i64, ptr %.265.i, align 8, !noalias !405
  br label %B282.if.i

B348.i:                                           ; preds = %B282.if.i
  %.654.i = load i64, ptr %2, align 8, !noalias !405
  %.655.i = icmp eq i64 %.654.i, 3
  br i1 %.655.i, label %B396.i, label %B592.i

B396.i:                                           ; preds = %B348.i
  %.710.i = getelementptr i8, ptr %2, i64 8
  %.711.i = load i64, ptr %.710.i, align 8, !noalias !405
  %.822.i = getelementptr i8, ptr %2, i64 16
  %.823.i = load i64, ptr %.822.i, align 8, !noalias !405
  %spec.select2.i = tail call i64 @llvm.smax.i64(i64 %.823.i, i64 0)
  br label %B512.i

B512.i:                                           ; preds = %B512.if.i, %B396.i
  %.848.0.i = phi i64 [ %.711.i, %B396.i ], [ %.917.i, %B512.if.i ]
  %.851.0.i = phi i64 [ %spec.select2.i, %B396.i ], [ %.913.i, %B512.if.i ]
  %.904.i = icmp sgt i64 %.851.0.i, 0
  br i1 %.904.i, label %B512.if.i, label %B592.i

B592.i:                                           ; preds = %B512.i, %B348.i
  %.459.i = icmp sgt i64 %.404.07.i, 1
  br i1 %.459.i, label %B282.if.i, label %B594.i

B594.i:                                           ; preds = %B592.i, %B166.i, %B698
  %.1146.i = getelementptr i8, ptr %.208.i, i64 56
  %.1147.i = load i64, ptr %.1146.i, align 8, !noalias !405
  %.1150.i = icmp sgt i64 %.1147.i, -1
  br i1 %.1150.i, label %B730, label %B2202

B282.if.i:                                        ; preds = %B592.i, %B282.if.preheader.i
  %.404.07.i = phi i64 [ %.468.i, %B592.i ], [ %.376.i, %B282.if.preheader.i ]
  %.401.06.i = phi i64 [ %.472.i, %B592.i ], [ %.266.i, %B282.if.preheader.i ]
  %.468.i = add nsw i64 %.404.07.i, -1
  %.472.i = add i64 %.401.06.i, 1
  %.510.i = icmp slt i64 %.401.06.i, 0
  %.511.i = select i1 %.510.i, i64 %.66.i, i64 0
  %1 = getelementptr i64, ptr %.72.i, i64 %.401.06.i
  %.525.i = getelementptr i64, ptr %1, i64 %.511.i
  %.526.i = load i64, ptr %.525.i, align 8, !noalias !405
  %.557.i = icmp slt i64 %.526.i, 0
  %.558.i = select i1 %.557.i, i64 %.72, i64 0
  %.559.i = add i64 %.558.i, %.526.i
  %.idx3.i = shl i64 %.559.i, 6
  %2 = getelementptr i8, ptr %.78, i64 %.idx3.i
  %.583.i = getelementptr i8, ptr %2, i64 56
  %.584.i = load i64, ptr %.583.i, align 8, !noalias !405
  %.585.i = icmp sgt i64 %.584.i, -1
  br i1 %.585.i, label %B730, label %B348.i

B512.if.i:                                        ; preds = %B512.i
  %.913.i = add nsw i64 %.851.0.i, -1
  %.917.i = add i64 %.848.0.i, 1
  %.959.i = icmp slt i64 %.848.0.i, 0
  %.960.i = select i1 %.959.i, i64 %.66.i, i64 0
  %3 = getelementptr i64, ptr %.72.i, i64 %.848.0.i
  %.974.i = getelementptr i64, ptr %3, i64 %.960.i
  %.975.i = load i64, ptr %.974.i, align 8, !noalias !405
  %.1002.i = icmp slt i64 %.975.i, 0
  %.1003.i = select i1 %.1002.i, i64 %.72, i64 0
  %.1004.i = add i64 %.1003.i, %.975.i
  %.idx495.i = shl i64 %.1004.i, 6
  %4 = getelementptr i8, ptr %.78, i64 %.idx495.i
  %.1028.i = getelementptr i8, ptr %4, i64 56
  %.1029.i = load i64, ptr %.1028.i, align 8, !noalias !405
  %.1030.i = icmp sgt i64 %.1029.i, -1
  br i1 %.1030.i, label %B730, label %B512.i

B730:                                             ; preds = %B282.if.i, %B512.if.i, %B594.i
  %one.3.0 = phi i64 [ %.975.i, %B512.if.i ], [ %.151.i, %B594.i ], [ %.526.i, %B282.if.i ]
  %.878 = icmp sgt i64 %one.3.0, -1
  br i1 %.878, label %B742, label %B2202

B742:                                             ; preds = %B730
  %.idx = shl i64 %one.3.0, 6
  %5 = getelementptr i8, ptr %.78, i64 %.idx
  %.938 = getelementptr i8, ptr %5, i64 32
  %.939 = load i64, ptr %.938, align 8
  %.968 = getelementptr i8, ptr %arg.m.4, i64 856
  %.969 = load i64, ptr %.968, align 8
  %.970.not = icmp sgt i64 %.939, %.969
  br i1 %.970.not, label %B846, label %B2202

B846:                                             ; preds = %B742
  %.116.i = getelementptr i8, ptr %.716, i64 48
  %.117.i = load i64, ptr %.116.i, align 8, !noalias !408
  %.118.i = icmp slt i64 %.117.i, 0
  br i1 %.118.i, label %B84.i, label %B946

B84.i:                                            ; preds = %B846
  %.228.i = getelementptr i8, ptr %.716, i64 16
  %.229.i = load i64, ptr %.228.i, align 8, !noalias !408
  %.283.i = getelementptr i8, ptr %.716, i64 24
  %.284.i = load i64, ptr %.283.i, align 8, !noalias !408
  %.295.i = icmp eq i64 %.284.i, 1
  br i1 %.295.i, label %terms.after_one_round.exit.thread15, label %B228.i

terms.after_one_round.exit.thread15:              ; preds = %B84.i
  store i64 0, ptr %.116.i, align 8, !noalias !408
  br label %B946

B228.i:                                           ; preds = %B84.i
  %.310.i = icmp eq i64 %.284.i, -1
  %.313.i = icmp eq i64 %.229.i, 0
  %or.cond.i = select i1 %.310.i, i1 %.313.i, i1 false
  br i1 %or.cond.i, label %terms.after_one_round.exit, label %B268.i

B268.i:                                           ; preds = %B228.i
  %.49.i.i.i = getelementptr i8, ptr %arg.m.4, i64 8
  %.50.i.i.i = load i64, ptr %.49.i.i.i, align 8, !noalias !411
  %.84.not.not.i.i.i = icmp slt i64 %.50.i.i.i, %.72
  br i1 %.84.not.not.i.i.i, label %terms.new_node.exit.i, label %terms.new_node.exit.thread.i

terms.new_node.exit.thread.i:                     ; preds = %B268.i
  %.122.i.i.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 0, ptr %.122.i.i.i, align 8, !noalias !411
  br label %B1090

terms.new_node.exit.i:                            ; preds = %B268.i
  %6 = tail call i64 @llvm.smax.i64(i64 %.229.i, i64 1)
  %.11.i.i = add nsw i64 %6, -1
  %.386.i = icmp eq i64 %.11.i.i, 0
  %.388.i = zext i1 %.386.i to i64
  %.375.i1599 = add nsw i64 %.284.i, -1
  %"$phi340.0.2.0.i" = select i1 %.310.i, i64 -1, i64 %.375.i1599
  %.212.i.i = icmp slt i64 %.50.i.i.i, 0
  %.213.i.i = select i1 %.212.i.i, i64 %.72, i64 0
  %.214.i.i = add i64 %.213.i.i, %.50.i.i.i
  %.238.idx.i.i = shl i64 %.214.i.i, 6
  %.238.i.i = getelementptr i8, ptr %.78, i64 %.238.idx.i.i
  store i64 4, ptr %.238.i.i, align 8, !noalias !416
  %.291.i.i = getelementptr i8, ptr %.238.i.i, i64 8
  store i64 %.151.i, ptr %.291.i.i, align 8, !noalias !416
  %.344.i.i = getelementptr i8, ptr %.238.i.i, i64 16
  store i64 %.11.i.i, ptr %.344.i.i, align 8, !noalias !416
  %.397.i.i = getelementptr i8, ptr %.238.i.i, i64 24
  store i64 %"$phi340.0.2.0.i", ptr %.397.i.i, align 8, !noalias !416
  %.450.i.i = getelementptr i8, ptr %.238.i.i, i64 32
  store i64 0, ptr %.450.i.i, align 8, !noalias !416
  %.504.i.i = getelementptr i8, ptr %.238.i.i, i64 40
  store i64 %.388.i, ptr %.504.i.i, align 8, !noalias !416
  %.559.i.i = getelementptr i8, ptr %.238.i.i, i64 48
  %.614.i.i = add nsw i64 %.50.i.i.i, 1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.559.i.i, i8 -1, i64 16, i1 false), !noalias !416
  store i64 %.614.i.i, ptr %.49.i.i.i, align 8, !noalias !416
  %.426.i = icmp eq i64 %.50.i.i.i, -3
  br i1 %.426.i, label %B1090, label %terms.after_one_round.exit

terms.after_one_round.exit:                       ; preds = %B228.i, %terms.new_node.exit.i
  %less.3.0.i = phi i64 [ %.50.i.i.i, %terms.new_node.exit.i ], [ %.544, %B228.i ]
  store i64 %less.3.0.i, ptr %.116.i, align 8, !noalias !408
  %.1027 = icmp eq i64 %less.3.0.i, -3
  br i1 %.1027, label %B1090, label %B946

B946:                                             ; preds = %B846, %terms.after_one_round.exit, %terms.after_one_round.exit.thread15
  %storemerge.i14 = phi i64 [ 0, %terms.after_one_round.exit.thread15 ], [ %less.3.0.i, %terms.after_one_round.exit ], [ %.117.i, %B846 ]
  store i64 0, ptr %.1041, align 8
  call fastcc void @terms.push(ptr %.1041, ptr nonnull %arg.m.4, i64 %storemerge.i14, i64 %.653)
  %.1057 = load i64, ptr %.1041, align 8
  %.1081 = icmp eq i64 %.1057, -3
  br i1 %.1081, label %B1090, label %B1016

B1016:                                            ; preds = %B946
  store i64 0, ptr %.1091, align 8
  call fastcc void @terms.push(ptr %.1091, ptr nonnull %arg.m.4, i64 %one.3.0, i64 %.1057)
  %.1107 = load i64, ptr %.1091, align 8
  %.1127 = icmp eq i64 %.1107, -3
  br i1 %.1127, label %B1090, label %B1040

B1040:                                            ; preds = %B1016
  store i64 0, ptr %.1132, align 8
  %.1138 = call fastcc i32 @leaves.open_term(ptr %.1132, ptr nonnull %arg.m.4, i64 %.1107)
  %.1140.not = icmp eq i32 %.1138, 0
  br i1 %.1140.not, label %B1040.endif, label %B1040.if, !prof !4

B1090:                                            ; preds = %terms.new_node.exit.i, %terms.new_node.exit.thread.i, %terms.after_one_round.exit, %B946, %B1040.endif, %B1016
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B1104:                                            ; preds = %B1040.endif
  store i64 0, ptr %.1187, align 8
  %.1193 = call fastcc i32 @states.state_of(ptr %.1187, ptr %excinfo.7, ptr nonnull %arg.m.4, i64 %.1057)
  %.1195.not = icmp eq i32 %.1193, 0
  %.1203 = load i64, ptr %.1187, align 8
  br i1 %.1195.not, label %B1104.endif, label %B1104.if, !prof !4

B1158:                                            ; preds = %B1104.endif
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B1172:                                            ; preds = %B1104.endif
  %.1300 = getelementptr i8, ptr %.716, i64 24
  %.1301 = load i64, ptr %.1300, align 8
  %.1302.not = icmp eq i64 %.1301, -1
  %. = select i1 %.1302.not, i64 4, i64 0
  %.1377 = getelementptr i8, ptr %5, i64 56
  %.1378 = load i64, ptr %.1377, align 8
  %.1381 = shl nsw i64 %.1378, 3
  %.1383 = or i64 %.1381, %.
  %.1395 = getelementptr i8, ptr %arg.m.4, i64 384
  %.1396 = load i64, ptr %.1395, align 8
  %.1398 = getelementptr i8, ptr %arg.m.4, i64 400
  %.1399 = load i64, ptr %.1398, align 8
  %.1405 = inttoptr i64 %.1396 to ptr
  %.1616 = icmp slt i64 %.1399, 1
  br i1 %.1616, label %.1682.if, label %B1248.endif.else.endif.endif.endif, !prof !20

B1472:                                            ; preds = %.1682.if
  %.1937 = icmp slt i64 %.1783, 0
  %.1938 = select i1 %.1937, i64 %.359, i64 0
  %7 = getelementptr i64, ptr %.365, i64 %.1783
  %.1952 = getelementptr i64, ptr %7, i64 %.1938
  %.1953 = load i64, ptr %.1952, align 8
  %.1954 = and i64 %.1953, 4294967295
  %.19.not.i = icmp eq i64 %.1954, 0
  br i1 %.19.not.i, label %B1728, label %leaves.is_split.exit

leaves.is_split.exit:                             ; preds = %B1472
  %.33.i = load i64, ptr %arg.m.4, align 8, !noalias !417
  %.36.i1600 = load i64, ptr %.71, align 8, !noalias !417
  %.42.i = inttoptr i64 %.33.i to ptr
  %.75.i = load i64, ptr %.313, align 8, !noalias !417
  %.84.i = inttoptr i64 %.75.i to ptr
  %.164.idx.i = shl nuw nsw i64 %.1954, 6
  %.164.i = getelementptr i8, ptr %.84.i, i64 %.164.idx.i
  %.165.i = load i64, ptr %.164.i, align 8, !noalias !417
  %.191.i = icmp slt i64 %.165.i, 0
  %.192.i = select i1 %.191.i, i64 %.36.i1600, i64 0
  %.193.i = add i64 %.192.i, %.165.i
  %.217.idx.i = shl i64 %.193.i, 6
  %.217.i = getelementptr i8, ptr %.42.i, i64 %.217.idx.i
  %.218.i = load i64, ptr %.217.i, align 8, !noalias !417
  %.219.i.not = icmp eq i64 %.218.i, 11
  br i1 %.219.i.not, label %B1522, label %B1728

B1522:                                            ; preds = %leaves.is_split.exit
  %.25.i1602 = load i64, ptr %.26, align 8, !noalias !420
  %.28.i = load i64, ptr %.29, align 8, !noalias !420
  %.34.i = inttoptr i64 %.25.i1602 to ptr
  %.66.i1605 = load i64, ptr %.355, align 8, !noalias !420
  %.69.i = load i64, ptr %.358, align 8, !noalias !420
  %.75.i1606 = inttoptr i64 %.66.i1605 to ptr
  %.127.i = select i1 %.135, i64 %.28.i, i64 0
  %.128.i = add i64 %.127.i, %arg.state
  %.idx.i1608 = shl i64 %.128.i, 6
  %8 = getelementptr i8, ptr %.34.i, i64 %.idx.i1608
  %.258.i = getelementptr i8, ptr %8, i64 24
  %.259.i = load i64, ptr %.258.i, align 8, !noalias !420
  %.3421.not.i = icmp slt i64 %.259.i, 1
  br i1 %.3421.not.i, label %B1568, label %B208.if.preheader.i

B208.if.preheader.i:                              ; preds = %B1522
  %.152.i = getelementptr i8, ptr %8, i64 16
  %.153.i = load i64, ptr %.152.i, align 8, !noalias !420
  br label %B208.if.i

B238.i:                                           ; preds = %B208.if.i
  %.405.i = icmp slt i64 %.284.02.i, 0
  %.406.i = select i1 %.405.i, i64 %.69.i, i64 0
  %9 = getelementptr i64, ptr %.75.i1606, i64 %.284.02.i
  %.420.i = getelementptr i64, ptr %9, i64 %.406.i
  %.421.i = load i64, ptr %.420.i, align 8, !noalias !420
  %.425.i = icmp eq i64 %.421.i, %.1953
  %.342.i = icmp ugt i64 %.287.03.i, 1
  br i1 %.342.i, label %B208.if.i.backedge, label %classes.has_leaf.exit

B208.if.i.backedge:                               ; preds = %B238.i, %B238.i.thread
  %found.2.04.i.be = phi i1 [ %.425.i, %B238.i ], [ true, %B238.i.thread ]
  br label %B208.if.i

B238.i.thread:                                    ; preds = %B208.if.i
  %.342.i59 = icmp ugt i64 %.287.03.i, 1
  br i1 %.342.i59, label %B208.if.i.backedge, label %B1728

B208.if.i:                                        ; preds = %B208.if.i.backedge, %B208.if.preheader.i
  %found.2.04.i = phi i1 [ false, %B208.if.preheader.i ], [ %found.2.04.i.be, %B208.if.i.backedge ]
  %.287.03.i = phi i64 [ %.259.i, %B208.if.preheader.i ], [ %.351.i, %B208.if.i.backedge ]
  %.284.02.i = phi i64 [ %.153.i, %B208.if.preheader.i ], [ %.355.i, %B208.if.i.backedge ]
  %.351.i = add nsw i64 %.287.03.i, -1
  %.355.i = add i64 %.284.02.i, 1
  br i1 %found.2.04.i, label %B238.i.thread, label %B238.i

classes.has_leaf.exit:                            ; preds = %B238.i
  br i1 %.425.i, label %B1728, label %B1568

B1568:                                            ; preds = %B1522, %classes.has_leaf.exit
  store i64 0, ptr %.2079, align 8
  %.2085 = call fastcc i32 @states.state_of(ptr %.2079, ptr %excinfo.10, ptr nonnull %arg.m.4, i64 %.1107)
  %.2087.not = icmp eq i32 %.2085, 0
  %.2095 = load i64, ptr %.2079, align 8
  br i1 %.2087.not, label %B1568.endif, label %B1568.if, !prof !4

B1622:                                            ; preds = %B1568.endif
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B1636:                                            ; preds = %B1568.endif
  %.2162 = icmp slt i64 %.2095, 0
  %.2163 = select i1 %.2162, i64 %.30, i64 0
  %.2164 = add i64 %.2163, %.2095
  %.idx37 = shl i64 %.2164, 6
  %10 = getelementptr i8, ptr %.36, i64 %.idx37
  %.2188 = getelementptr i8, ptr %10, i64 16
  %.2189 = load i64, ptr %.2188, align 8
  %.2300 = getelementptr i8, ptr %10, i64 24
  %.2301 = load i64, ptr %.2300, align 8
  %.2302 = add nsw i64 %.2301, %.2189
  br label %B1728

B1728:                                            ; preds = %B238.i.thread, %B1472, %classes.has_leaf.exit, %leaves.is_split.exit, %.1682.if, %B1636
  %stop.2.1 = phi i64 [ %.1896, %classes.has_leaf.exit ], [ %.2302, %B1636 ], [ %.1896, %leaves.is_split.exit ], [ %.1896, %.1682.if ], [ %.1896, %B1472 ], [ %.1896, %B238.i.thread ]
  %i.3.0 = phi i64 [ %.1783, %classes.has_leaf.exit ], [ %.2189, %B1636 ], [ %.1783, %leaves.is_split.exit ], [ %.1783, %.1682.if ], [ %.1783, %B1472 ], [ %.1783, %B238.i.thread ]
  %.2354 = sub i64 %stop.2.1, %i.3.0
  %.239746.not = icmp slt i64 %.2354, 1
  br i1 %.239746.not, label %B1880, label %B1760.if.preheader

B1760.if.preheader:                               ; preds = %B1728
  %scevgep = getelementptr i8, ptr %.1405, i64 256
  %scevgep5 = getelementptr i8, ptr %.403, i64 256
  %11 = getelementptr i8, ptr %.1405, i64 16
  %12 = getelementptr i8, ptr %.1405, i64 32
  %13 = getelementptr i8, ptr %.1405, i64 48
  %14 = getelementptr i8, ptr %.1405, i64 64
  %15 = getelementptr i8, ptr %.1405, i64 80
  %16 = getelementptr i8, ptr %.1405, i64 96
  %17 = getelementptr i8, ptr %.1405, i64 112
  %18 = getelementptr i8, ptr %.1405, i64 128
  %19 = getelementptr i8, ptr %.1405, i64 144
  %20 = getelementptr i8, ptr %.1405, i64 160
  %21 = getelementptr i8, ptr %.1405, i64 176
  %22 = getelementptr i8, ptr %.1405, i64 192
  %23 = getelementptr i8, ptr %.1405, i64 208
  %24 = getelementptr i8, ptr %.1405, i64 224
  %25 = getelementptr i8, ptr %.1405, i64 240
  br label %B1760.if

B1760.loopexit:                                   ; preds = %B1828.if, %vector.body
  %.2406 = add nsw i64 %.2344.048, -1
  %.2410 = add i64 %.2341.047, 1
  %.2397 = icmp sgt i64 %.2344.048, 1
  br i1 %.2397, label %B1760.if, label %B1880

B1880:                                            ; preds = %B1760.loopexit, %B1728
  %.2935 = getelementptr i8, ptr %0, i64 24
  %.2936 = load i64, ptr %.2935, align 8
  %.302349.not = icmp slt i64 %.2936, 1
  br i1 %.302349.not, label %B2202, label %B1996.if.preheader

B1996.if.preheader:                               ; preds = %B1880
  %.2825 = getelementptr i8, ptr %0, i64 16
  %.2826 = load i64, ptr %.2825, align 8
  br label %B1996.if

B2012:                                            ; preds = %B1996.if
  %.3086 = icmp slt i64 %i.4.153, 0
  %.3087 = select i1 %.3086, i64 %.359, i64 0
  %26 = getelementptr i64, ptr %.365, i64 %i.4.153
  %.3101 = getelementptr i64, ptr %26, i64 %.3087
  %.3102 = load i64, ptr %.3101, align 8
  %.3117 = icmp slt i64 %.2961.050, 0
  %.3118 = select i1 %.3117, i64 %.359, i64 0
  %27 = getelementptr i64, ptr %.365, i64 %.2961.050
  %.3132 = getelementptr i64, ptr %27, i64 %.3118
  %.3133 = load i64, ptr %.3132, align 8
  %.3134 = icmp eq i64 %.3102, %.3133
  br i1 %.3134, label %B2048, label %B2060

B2048:                                            ; preds = %B2012
  %.3145 = add nsw i64 %i.4.153, 1
  br label %B2203

B2060:                                            ; preds = %B1996.if, %B2012
  %.3167 = icmp slt i64 %.2961.050, 0
  %.3168 = select i1 %.3167, i64 %.359, i64 0
  %28 = getelementptr i64, ptr %.365, i64 %.2961.050
  %.3182 = getelementptr i64, ptr %28, i64 %.3168
  %.3183 = load i64, ptr %.3182, align 8
  %.3186 = ashr i64 %.3183, 32
  %.3205 = icmp slt i64 %.3186, 0
  %.3206 = select i1 %.3205, i64 %.397, i64 0
  %.3207 = add i64 %.3206, %.3186
  %.3224 = shl i64 %.3207, 8
  %.3226 = getelementptr i8, ptr %.403, i64 %.3224
  br label %vector.body12

vector.body12:                                    ; preds = %vector.body12, %B2060
  %index13 = phi i64 [ 0, %B2060 ], [ %index.next19.1, %vector.body12 ]
  %vec.phi = phi <2 x i64> [ zeroinitializer, %B2060 ], [ %47, %vector.body12 ]
  %vec.phi14 = phi <2 x i64> [ zeroinitializer, %B2060 ], [ %48, %vector.body12 ]
  %29 = getelementptr i8, ptr %.1405, i64 %index13
  %30 = getelementptr i8, ptr %29, i64 2
  %wide.load15 = load <2 x i8>, ptr %29, align 1, !noalias !423
  %wide.load16 = load <2 x i8>, ptr %30, align 1, !noalias !423
  %31 = getelementptr i8, ptr %.3226, i64 %index13
  %32 = getelementptr i8, ptr %31, i64 2
  %wide.load17 = load <2 x i8>, ptr %31, align 1, !noalias !423
  %wide.load18 = load <2 x i8>, ptr %32, align 1, !noalias !423
  %33 = and <2 x i8> %wide.load17, %wide.load15
  %34 = and <2 x i8> %wide.load18, %wide.load16
  %35 = zext <2 x i8> %33 to <2 x i64>
  %36 = zext <2 x i8> %34 to <2 x i64>
  %37 = or <2 x i64> %vec.phi, %35
  %38 = or <2 x i64> %vec.phi14, %36
  %index.next19 = or i64 %index13, 4
  %39 = getelementptr i8, ptr %.1405, i64 %index.next19
  %40 = getelementptr i8, ptr %39, i64 2
  %wide.load15.1 = load <2 x i8>, ptr %39, align 1, !noalias !423
  %wide.load16.1 = load <2 x i8>, ptr %40, align 1, !noalias !423
  %41 = getelementptr i8, ptr %.3226, i64 %index.next19
  %42 = getelementptr i8, ptr %41, i64 2
  %wide.load17.1 = load <2 x i8>, ptr %41, align 1, !noalias !423
  %wide.load18.1 = load <2 x i8>, ptr %42, align 1, !noalias !423
  %43 = and <2 x i8> %wide.load17.1, %wide.load15.1
  %44 = and <2 x i8> %wide.load18.1, %wide.load16.1
  %45 = zext <2 x i8> %43 to <2 x i64>
  %46 = zext <2 x i8> %44 to <2 x i64>
  %47 = or <2 x i64> %37, %45
  %48 = or <2 x i64> %38, %46
  %index.next19.1 = add nuw nsw i64 %index13, 8
  %49 = icmp eq i64 %index.next19.1, 256
  br i1 %49, label %states.meet.exit, label %vector.body12, !llvm.loop !426

states.meet.exit:                                 ; preds = %vector.body12
  %bin.rdx = or <2 x i64> %48, %47
  %50 = tail call i64 @llvm.vector.reduce.or.v2i64(<2 x i64> %bin.rdx)
  %.229.i1611.not = icmp eq i64 %50, 0
  br i1 %.229.i1611.not, label %B2180, label %B2122

B2122:                                            ; preds = %states.meet.exit
  %.3312 = or i64 %loop.5.152, 2
  %"$phi2174.1.2.0" = select i1 %.1302.not, i64 %.3312, i64 -1
  br label %B2202

B2180:                                            ; preds = %states.meet.exit
  %.3341 = or i64 %loop.5.152, 1
  br label %B2203

B2202:                                            ; preds = %B2203, %B1880, %B594.i, %B582, %B622, %B742, %B730, %B2122, %B166
  %chain.2.0 = phi i64 [ %.1203, %B2122 ], [ -1, %B594.i ], [ -1, %B166 ], [ -1, %B730 ], [ -1, %B742 ], [ -1, %B622 ], [ -1, %B582 ], [ %.1203, %B1880 ], [ %.1203, %B2203 ]
  %loop.7.0 = phi i64 [ %"$phi2174.1.2.0", %B2122 ], [ -1, %B594.i ], [ -1, %B166 ], [ -1, %B730 ], [ -1, %B742 ], [ %.817, %B622 ], [ -1, %B582 ], [ %.1383, %B1880 ], [ %loop.6.1, %B2203 ]
  store i64 %loop.7.0, ptr %.161, align 8
  %.3495 = getelementptr i8, ptr %0, i64 56
  store i64 %chain.2.0, ptr %.3495, align 8
  store i64 %loop.7.0, ptr %retptr, align 8
  br label %common.ret

B2203:                                            ; preds = %B2180, %B2048
  %loop.6.1 = phi i64 [ %loop.5.152, %B2048 ], [ %.3341, %B2180 ]
  %i.5.1 = phi i64 [ %.3145, %B2048 ], [ %i.4.153, %B2180 ]
  %.3023 = icmp ugt i64 %.2964.051, 1
  br i1 %.3023, label %B1996.if, label %B2202

B1040.if:                                         ; preds = %B1040
  store ptr null, ptr %excinfo, align 8
  br label %common.ret

B1040.endif:                                      ; preds = %B1040
  %.1148 = load i64, ptr %.1132, align 8
  %.1158 = icmp eq i64 %.1148, -3
  br i1 %.1158, label %B1090, label %B1104

B1104.if:                                         ; preds = %B1104
  %.1194 = load ptr, ptr %excinfo.7, align 8
  store ptr %.1194, ptr %excinfo, align 8
  br label %common.ret

B1104.endif:                                      ; preds = %B1104
  %.1219 = icmp eq i64 %.1203, -3
  br i1 %.1219, label %B1158, label %B1172

B1248.endif.endif:                                ; preds = %B1248.endif.else.endif.endif.endif
  br label %.1682.endif.preheader

.1682.endif.preheader:                            ; preds = %B1248.endif.else.endif.endif.endif, %B1248.endif.endif
  %.1591.sroa.13.066 = phi i64 [ %.1399, %B1248.endif.endif ], [ 256, %B1248.endif.else.endif.endif.endif ]
  tail call void @llvm.memset.p0.i64(ptr align 1 %.1405, i8 0, i64 %.1591.sroa.13.066, i1 false)
  br label %.1682.if

B1248.endif.else.endif.endif.endif:               ; preds = %B1172
  %.1633 = icmp ult i64 %.1399, 257
  br i1 %.1633, label %B1248.endif.endif, label %.1682.endif.preheader, !prof !37

.1682.if:                                         ; preds = %B1172, %.1682.endif.preheader
  %.1756 = icmp slt i64 %.1107, 0
  %.1757 = select i1 %.1756, i64 %.317, i64 0
  %.1758 = add i64 %.1757, %.1107
  %.idx36 = shl i64 %.1758, 6
  %51 = getelementptr i8, ptr %.323, i64 %.idx36
  %.1782 = getelementptr i8, ptr %51, i64 16
  %.1783 = load i64, ptr %.1782, align 8
  %.1892 = getelementptr i8, ptr %51, i64 24
  %.1893 = load i64, ptr %.1892, align 8
  %.1896 = add nsw i64 %.1893, %.1783
  %.1914 = icmp eq i64 %.1893, 1
  br i1 %.1914, label %B1472, label %B1728

B1568.if:                                         ; preds = %B1568
  %.2086 = load ptr, ptr %excinfo.10, align 8
  store ptr %.2086, ptr %excinfo, align 8
  br label %common.ret

B1568.endif:                                      ; preds = %B1568
  %.2113 = icmp eq i64 %.2095, -3
  br i1 %.2113, label %B1622, label %B1636

B1760.if:                                         ; preds = %B1760.if.preheader, %B1760.loopexit
  %.2344.048 = phi i64 [ %.2406, %B1760.loopexit ], [ %.2354, %B1760.if.preheader ]
  %.2341.047 = phi i64 [ %.2410, %B1760.loopexit ], [ %i.3.0, %B1760.if.preheader ]
  %.2448 = icmp slt i64 %.2341.047, 0
  %.2449 = select i1 %.2448, i64 %.359, i64 0
  %52 = getelementptr i64, ptr %.365, i64 %.2341.047
  %.2463 = getelementptr i64, ptr %52, i64 %.2449
  %.2464 = load i64, ptr %.2463, align 8
  %.2465 = ashr i64 %.2464, 32
  %.2484 = icmp slt i64 %.2465, 0
  %.2485 = select i1 %.2484, i64 %.397, i64 0
  %.2486 = add i64 %.2485, %.2465
  %.2503 = shl i64 %.2486, 8
  %.2505 = getelementptr i8, ptr %.403, i64 %.2503
  %scevgep6 = getelementptr i8, ptr %scevgep5, i64 %.2503
  %bound0 = icmp ugt ptr %scevgep6, %.1405
  %bound1 = icmp ult ptr %.2505, %scevgep
  %found.conflict = and i1 %bound0, %bound1
  br i1 %found.conflict, label %B1828.if, label %vector.body

vector.body:                                      ; preds = %B1760.if
  %wide.load = load <16 x i8>, ptr %.1405, align 1, !alias.scope !427, !noalias !430
  %wide.load7 = load <16 x i8>, ptr %11, align 1, !alias.scope !427, !noalias !430
  %53 = getelementptr i8, ptr %.2505, i64 16
  %wide.load8 = load <16 x i8>, ptr %.2505, align 1, !alias.scope !430
  %wide.load9 = load <16 x i8>, ptr %53, align 1, !alias.scope !430
  %54 = or <16 x i8> %wide.load8, %wide.load
  %55 = or <16 x i8> %wide.load9, %wide.load7
  store <16 x i8> %54, ptr %.1405, align 1, !alias.scope !427, !noalias !430
  store <16 x i8> %55, ptr %11, align 1, !alias.scope !427, !noalias !430
  %wide.load.1 = load <16 x i8>, ptr %12, align 1, !alias.scope !427, !noalias !430
  %wide.load7.1 = load <16 x i8>, ptr %13, align 1, !alias.scope !427, !noalias !430
  %56 = getelementptr i8, ptr %.2505, i64 32
  %57 = getelementptr i8, ptr %.2505, i64 48
  %wide.load8.1 = load <16 x i8>, ptr %56, align 1, !alias.scope !430
  %wide.load9.1 = load <16 x i8>, ptr %57, align 1, !alias.scope !430
  %58 = or <16 x i8> %wide.load8.1, %wide.load.1
  %59 = or <16 x i8> %wide.load9.1, %wide.load7.1
  store <16 x i8> %58, ptr %12, align 1, !alias.scope !427, !noalias !430
  store <16 x i8> %59, ptr %13, align 1, !alias.scope !427, !noalias !430
  %wide.load.2 = load <16 x i8>, ptr %14, align 1, !alias.scope !427, !noalias !430
  %wide.load7.2 = load <16 x i8>, ptr %15, align 1, !alias.scope !427, !noalias !430
  %60 = getelementptr i8, ptr %.2505, i64 64
  %61 = getelementptr i8, ptr %.2505, i64 80
  %wide.load8.2 = load <16 x i8>, ptr %60, align 1, !alias.scope !430
  %wide.load9.2 = load <16 x i8>, ptr %61, align 1, !alias.scope !430
  %62 = or <16 x i8> %wide.load8.2, %wide.load.2
  %63 = or <16 x i8> %wide.load9.2, %wide.load7.2
  store <16 x i8> %62, ptr %14, align 1, !alias.scope !427, !noalias !430
  store <16 x i8> %63, ptr %15, align 1, !alias.scope !427, !noalias !430
  %wide.load.3 = load <16 x i8>, ptr %16, align 1, !alias.scope !427, !noalias !430
  %wide.load7.3 = load <16 x i8>, ptr %17, align 1, !alias.scope !427, !noalias !430
  %64 = getelementptr i8, ptr %.2505, i64 96
  %65 = getelementptr i8, ptr %.2505, i64 112
  %wide.load8.3 = load <16 x i8>, ptr %64, align 1, !alias.scope !430
  %wide.load9.3 = load <16 x i8>, ptr %65, align 1, !alias.scope !430
  %66 = or <16 x i8> %wide.load8.3, %wide.load.3
  %67 = or <16 x i8> %wide.load9.3, %wide.load7.3
  store <16 x i8> %66, ptr %16, align 1, !alias.scope !427, !noalias !430
  store <16 x i8> %67, ptr %17, align 1, !alias.scope !427, !noalias !430
  %wide.load.4 = load <16 x i8>, ptr %18, align 1, !alias.scope !427, !noalias !430
  %wide.load7.4 = load <16 x i8>, ptr %19, align 1, !alias.scope !427, !noalias !430
  %68 = getelementptr i8, ptr %.2505, i64 128
  %69 = getelementptr i8, ptr %.2505, i64 144
  %wide.load8.4 = load <16 x i8>, ptr %68, align 1, !alias.scope !430
  %wide.load9.4 = load <16 x i8>, ptr %69, align 1, !alias.scope !430
  %70 = or <16 x i8> %wide.load8.4, %wide.load.4
  %71 = or <16 x i8> %wide.load9.4, %wide.load7.4
  store <16 x i8> %70, ptr %18, align 1, !alias.scope !427, !noalias !430
  store <16 x i8> %71, ptr %19, align 1, !alias.scope !427, !noalias !430
  %wide.load.5 = load <16 x i8>, ptr %20, align 1, !alias.scope !427, !noalias !430
  %wide.load7.5 = load <16 x i8>, ptr %21, align 1, !alias.scope !427, !noalias !430
  %72 = getelementptr i8, ptr %.2505, i64 160
  %73 = getelementptr i8, ptr %.2505, i64 176
  %wide.load8.5 = load <16 x i8>, ptr %72, align 1, !alias.scope !430
  %wide.load9.5 = load <16 x i8>, ptr %73, align 1, !alias.scope !430
  %74 = or <16 x i8> %wide.load8.5, %wide.load.5
  %75 = or <16 x i8> %wide.load9.5, %wide.load7.5
  store <16 x i8> %74, ptr %20, align 1, !alias.scope !427, !noalias !430
  store <16 x i8> %75, ptr %21, align 1, !alias.scope !427, !noalias !430
  %wide.load.6 = load <16 x i8>, ptr %22, align 1, !alias.scope !427, !noalias !430
  %wide.load7.6 = load <16 x i8>, ptr %23, align 1, !alias.scope !427, !noalias !430
  %76 = getelementptr i8, ptr %.2505, i64 192
  %77 = getelementptr i8, ptr %.2505, i64 208
  %wide.load8.6 = load <16 x i8>, ptr %76, align 1, !alias.scope !430
  %wide.load9.6 = load <16 x i8>, ptr %77, align 1, !alias.scope !430
  %78 = or <16 x i8> %wide.load8.6, %wide.load.6
  %79 = or <16 x i8> %wide.load9.6, %wide.load7.6
  store <16 x i8> %78, ptr %22, align 1, !alias.scope !427, !noalias !430
  store <16 x i8> %79, ptr %23, align 1, !alias.scope !427, !noalias !430
  %wide.load.7 = load <16 x i8>, ptr %24, align 1, !alias.scope !427, !noalias !430
  %wide.load7.7 = load <16 x i8>, ptr %25, align 1, !alias.scope !427, !noalias !430
  %80 = getelementptr i8, ptr %.2505, i64 224
  %81 = getelementptr i8, ptr %.2505, i64 240
  %wide.load8.7 = load <16 x i8>, ptr %80, align 1, !alias.scope !430
  %wide.load9.7 = load <16 x i8>, ptr %81, align 1, !alias.scope !430
  %82 = or <16 x i8> %wide.load8.7, %wide.load.7
  %83 = or <16 x i8> %wide.load9.7, %wide.load7.7
  store <16 x i8> %82, ptr %24, align 1, !alias.scope !427, !noalias !430
  store <16 x i8> %83, ptr %25, align 1, !alias.scope !427, !noalias !430
  br label %B1760.loopexit

B1828.if:                                         ; preds = %B1760.if, %B1828.if
  %.2560.044 = phi i64 [ %.2629.3, %B1828.if ], [ 0, %B1760.if ]
  %.2629 = or i64 %.2560.044, 1
  %84 = getelementptr i8, ptr %.1405, i64 %.2560.044
  %.2683 = load i8, ptr %84, align 1
  %.2712 = getelementptr i8, ptr %.2505, i64 %.2560.044
  %.2713 = load i8, ptr %.2712, align 1
  %.27161597 = or i8 %.2713, %.2683
  store i8 %.27161597, ptr %84, align 1
  %.2629.1 = or i64 %.2560.044, 2
  %85 = getelementptr i8, ptr %.1405, i64 %.2629
  %.2683.1 = load i8, ptr %85, align 1
  %.2712.1 = getelementptr i8, ptr %.2505, i64 %.2629
  %.2713.1 = load i8, ptr %.2712.1, align 1
  %.27161597.1 = or i8 %.2713.1, %.2683.1
  store i8 %.27161597.1, ptr %85, align 1
  %.2629.2 = or i64 %.2560.044, 3
  %86 = getelementptr i8, ptr %.1405, i64 %.2629.1
  %.2683.2 = load i8, ptr %86, align 1
  %.2712.2 = getelementptr i8, ptr %.2505, i64 %.2629.1
  %.2713.2 = load i8, ptr %.2712.2, align 1
  %.27161597.2 = or i8 %.2713.2, %.2683.2
  store i8 %.27161597.2, ptr %86, align 1
  %.2629.3 = add nuw nsw i64 %.2560.044, 4
  %87 = getelementptr i8, ptr %.1405, i64 %.2629.2
  %.2683.3 = load i8, ptr %87, align 1
  %.2712.3 = getelementptr i8, ptr %.2505, i64 %.2629.2
  %.2713.3 = load i8, ptr %.2712.3, align 1
  %.27161597.3 = or i8 %.2713.3, %.2683.3
  store i8 %.27161597.3, ptr %87, align 1
  %exitcond.not.3 = icmp eq i64 %.2629.3, 256
  br i1 %exitcond.not.3, label %B1760.loopexit, label %B1828.if, !llvm.loop !432

B1996.if:                                         ; preds = %B1996.if.preheader, %B2203
  %i.4.153 = phi i64 [ %i.5.1, %B2203 ], [ %i.3.0, %B1996.if.preheader ]
  %loop.5.152 = phi i64 [ %loop.6.1, %B2203 ], [ %.1383, %B1996.if.preheader ]
  %.2964.051 = phi i64 [ %.3032, %B2203 ], [ %.2936, %B1996.if.preheader ]
  %.2961.050 = phi i64 [ %.3036, %B2203 ], [ %.2826, %B1996.if.preheader ]
  %.3032 = add nsw i64 %.2964.051, -1
  %.3036 = add i64 %.2961.050, 1
  %.3070 = icmp slt i64 %i.4.153, %stop.2.1
  br i1 %.3070, label %B2012, label %B2060
}

define internal fastcc i32 @classes.near_state(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.state) unnamed_addr {
entry:
  %.878 = alloca i64, align 8
  %excinfo.2 = alloca ptr, align 8
  store ptr null, ptr %excinfo.2, align 8
  %.919 = alloca i64, align 8
  %excinfo.3 = alloca ptr, align 8
  store ptr null, ptr %excinfo.3, align 8
  %.26 = getelementptr i8, ptr %arg.m.4, i64 120
  %.27 = load i64, ptr %.26, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 136
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.68 = getelementptr i8, ptr %arg.m.4, i64 96
  %.69 = load i64, ptr %.68, align 8
  %.71 = getelementptr i8, ptr %arg.m.4, i64 112
  %.72 = load i64, ptr %.71, align 8
  %.78 = inttoptr i64 %.69 to ptr
  %.106 = getelementptr i8, ptr %arg.m.4, i64 192
  %.107 = load i64, ptr %.106, align 8
  %.109 = getelementptr i8, ptr %arg.m.4, i64 208
  %.110 = load i64, ptr %.109, align 8
  %.116 = inttoptr i64 %.107 to ptr
  %.179 = icmp slt i64 %arg.state, 0
  %.180 = select i1 %.179, i64 %.30, i64 0
  %.181 = add i64 %.180, %arg.state
  %.idx = shl i64 %.181, 6
  %0 = getelementptr i8, ptr %.36, i64 %.idx
  %.313 = getelementptr i8, ptr %0, i64 24
  %.314 = load i64, ptr %.313, align 8
  %.3978.not = icmp slt i64 %.314, 1
  br i1 %.3978.not, label %B544, label %B322.if.lr.ph

B322.if.lr.ph:                                    ; preds = %entry
  %.205 = getelementptr i8, ptr %0, i64 16
  %.206 = load i64, ptr %.205, align 8
  %.35.i = getelementptr i8, ptr %arg.m.4, i64 16
  %.74.i = getelementptr i8, ptr %arg.m.4, i64 48
  br label %B322.if

B448:                                             ; preds = %B420.if
  %.406 = add nsw i64 %.342.09, -1
  %.410 = add i64 %.339.010, 1
  %.713 = icmp sgt i64 %.693.7, %widest.2.011
  br i1 %.713, label %B460, label %B530

B460:                                             ; preds = %B448
  %.757 = and i64 %.468, 4294967295
  %.19.not.i = icmp eq i64 %.757, 0
  br i1 %.19.not.i, label %B510, label %leaves.is_split.exit

leaves.is_split.exit:                             ; preds = %B460
  %.33.i = load i64, ptr %arg.m.4, align 8, !noalias !433
  %.36.i = load i64, ptr %.35.i, align 8, !noalias !433
  %.42.i = inttoptr i64 %.33.i to ptr
  %.75.i = load i64, ptr %.74.i, align 8, !noalias !433
  %.84.i = inttoptr i64 %.75.i to ptr
  %.164.idx.i = shl nuw nsw i64 %.757, 6
  %.164.i = getelementptr i8, ptr %.84.i, i64 %.164.idx.i
  %.165.i = load i64, ptr %.164.i, align 8, !noalias !433
  %.191.i = icmp slt i64 %.165.i, 0
  %.192.i = select i1 %.191.i, i64 %.36.i, i64 0
  %.193.i = add i64 %.192.i, %.165.i
  %.217.idx.i = shl i64 %.193.i, 6
  %.217.i = getelementptr i8, ptr %.42.i, i64 %.217.idx.i
  %.218.i = load i64, ptr %.217.i, align 8, !noalias !433
  %.219.i.not = icmp eq i64 %.218.i, 11
  br i1 %.219.i.not, label %B530, label %B510

B510:                                             ; preds = %B460, %leaves.is_split.exit
  br label %B530

B530:                                             ; preds = %leaves.is_split.exit, %B510, %B448
  %best.3.1 = phi i64 [ %best.2.012, %leaves.is_split.exit ], [ %.468, %B510 ], [ %best.2.012, %B448 ]
  %widest.3.1 = phi i64 [ %widest.2.011, %leaves.is_split.exit ], [ %.693.7, %B510 ], [ %widest.2.011, %B448 ]
  %.397 = icmp ugt i64 %.342.09, 1
  br i1 %.397, label %B322.if, label %B532

B532:                                             ; preds = %B530
  %.862 = icmp slt i64 %best.3.1, 0
  br i1 %.862, label %B544, label %B574

common.ret:                                       ; preds = %B648.if, %B574.if, %B716, %B702, %B544
  %common.ret.op = phi i32 [ 0, %B544 ], [ 0, %B702 ], [ 0, %B716 ], [ 1, %B648.if ], [ 1, %B574.if ]
  ret i32 %common.ret.op

B544:                                             ; preds = %entry, %B532
  store i64 -1, ptr %retptr, align 8
  br label %common.ret

B574:                                             ; preds = %B532
  %.874 = and i64 %best.3.1, 4294967295
  store i64 0, ptr %.878, align 8
  %.884 = call fastcc i32 @states.state_of(ptr %.878, ptr %excinfo.2, ptr %arg.m.4, i64 %.874)
  %.886.not = icmp eq i32 %.884, 0
  %.894 = load i64, ptr %.878, align 8
  br i1 %.886.not, label %B574.endif, label %B574.if, !prof !4

B648:                                             ; preds = %B574.endif
  store i64 0, ptr %.919, align 8
  %.925 = call fastcc i32 @classes.loop_of(ptr %.919, ptr %excinfo.3, ptr %arg.m.4, i64 %.894)
  %.927.not = icmp eq i32 %.925, 0
  br i1 %.927.not, label %B678, label %B648.if, !prof !4

B678:                                             ; preds = %B648
  %.935 = load i64, ptr %.919, align 8
  %.957 = icmp eq i64 %.935, -3
  br i1 %.957, label %B702, label %B716

B702:                                             ; preds = %B574.endif, %B678
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B716:                                             ; preds = %B678
  %1 = and i64 %.935, -9223372036854775804
  %or.cond = icmp ne i64 %1, 4
  %.978.not = icmp eq i64 %.894, %arg.state
  %or.cond401 = select i1 %or.cond, i1 true, i1 %.978.not
  %"$phi792.0.2.0" = select i1 %or.cond401, i64 -1, i64 %.894
  store i64 %"$phi792.0.2.0", ptr %retptr, align 8
  br label %common.ret

B322.if:                                          ; preds = %B322.if.lr.ph, %B530
  %best.2.012 = phi i64 [ -1, %B322.if.lr.ph ], [ %best.3.1, %B530 ]
  %widest.2.011 = phi i64 [ 47, %B322.if.lr.ph ], [ %widest.3.1, %B530 ]
  %.339.010 = phi i64 [ %.206, %B322.if.lr.ph ], [ %.410, %B530 ]
  %.342.09 = phi i64 [ %.314, %B322.if.lr.ph ], [ %.406, %B530 ]
  %.452 = icmp slt i64 %.339.010, 0
  %.453 = select i1 %.452, i64 %.72, i64 0
  %2 = getelementptr i64, ptr %.78, i64 %.339.010
  %.467 = getelementptr i64, ptr %2, i64 %.453
  %.468 = load i64, ptr %.467, align 8
  %.469 = ashr i64 %.468, 32
  %.488 = icmp slt i64 %.469, 0
  %.489 = select i1 %.488, i64 %.110, i64 0
  %.490 = add i64 %.489, %.469
  %.507 = shl i64 %.490, 8
  %.509 = getelementptr i8, ptr %.116, i64 %.507
  br label %B420.if

B420.if:                                          ; preds = %B420.if, %B322.if
  %width.2.17 = phi i64 [ 0, %B322.if ], [ %.693.7, %B420.if ]
  %.567.05 = phi i64 [ 0, %B322.if ], [ %.636.7, %B420.if ]
  %3 = getelementptr i8, ptr %.509, i64 %.567.05
  %.690 = load i8, ptr %3, align 1
  %.692 = zext i8 %.690 to i64
  %.693 = add nuw nsw i64 %width.2.17, %.692
  %4 = getelementptr i8, ptr %.509, i64 %.567.05
  %5 = getelementptr i8, ptr %4, i64 1
  %.690.1 = load i8, ptr %5, align 1
  %.692.1 = zext i8 %.690.1 to i64
  %.693.1 = add nuw nsw i64 %.693, %.692.1
  %6 = getelementptr i8, ptr %.509, i64 %.567.05
  %7 = getelementptr i8, ptr %6, i64 2
  %.690.2 = load i8, ptr %7, align 1
  %.692.2 = zext i8 %.690.2 to i64
  %.693.2 = add nuw nsw i64 %.693.1, %.692.2
  %8 = getelementptr i8, ptr %.509, i64 %.567.05
  %9 = getelementptr i8, ptr %8, i64 3
  %.690.3 = load i8, ptr %9, align 1
  %.692.3 = zext i8 %.690.3 to i64
  %.693.3 = add nuw nsw i64 %.693.2, %.692.3
  %10 = getelementptr i8, ptr %.509, i64 %.567.05
  %11 = getelementptr i8, ptr %10, i64 4
  %.690.4 = load i8, ptr %11, align 1
  %.692.4 = zext i8 %.690.4 to i64
  %.693.4 = add nuw nsw i64 %.693.3, %.692.4
  %12 = getelementptr i8, ptr %.509, i64 %.567.05
  %13 = getelementptr i8, ptr %12, i64 5
  %.690.5 = load i8, ptr %13, align 1
  %.692.5 = zext i8 %.690.5 to i64
  %.693.5 = add nuw nsw i64 %.693.4, %.692.5
  %14 = getelementptr i8, ptr %.509, i64 %.567.05
  %15 = getelementptr i8, ptr %14, i64 6
  %.690.6 = load i8, ptr %15, align 1
  %.692.6 = zext i8 %.690.6 to i64
  %.693.6 = add nuw nsw i64 %.693.5, %.692.6
  %.636.7 = add nuw nsw i64 %.567.05, 8
  %16 = getelementptr i8, ptr %.509, i64 %.567.05
  %17 = getelementptr i8, ptr %16, i64 7
  %.690.7 = load i8, ptr %17, align 1
  %.692.7 = zext i8 %.690.7 to i64
  %.693.7 = add nuw nsw i64 %.693.6, %.692.7
  %exitcond.not.7 = icmp eq i64 %.636.7, 256
  br i1 %exitcond.not.7, label %B448, label %B420.if

B574.if:                                          ; preds = %B574
  %.885 = load ptr, ptr %excinfo.2, align 8
  store ptr %.885, ptr %excinfo, align 8
  br label %common.ret

B574.endif:                                       ; preds = %B574
  %.908 = icmp eq i64 %.894, -3
  br i1 %.908, label %B702, label %B648

B648.if:                                          ; preds = %B648
  %.926 = load ptr, ptr %excinfo.3, align 8
  store ptr %.926, ptr %excinfo, align 8
  br label %common.ret
}

define internal fastcc i32 @tokens.below(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.root, i64 %arg.state, i64 %arg.n, i64 %arg.sifted) unnamed_addr {
entry:
  %.1328 = alloca i64, align 8
  %.2220 = alloca i64, align 8
  %excinfo.9 = alloca ptr, align 8
  store ptr null, ptr %excinfo.9, align 8
  %.35 = getelementptr i8, ptr %arg.m.4, i64 120
  %.36 = load i64, ptr %.35, align 8
  %.38 = getelementptr i8, ptr %arg.m.4, i64 136
  %.39 = load i64, ptr %.38, align 8
  %.45 = inttoptr i64 %.36 to ptr
  %.77 = getelementptr i8, ptr %arg.m.4, i64 168
  %.78 = load i64, ptr %.77, align 8
  %.80 = getelementptr i8, ptr %arg.m.4, i64 184
  %.81 = load i64, ptr %.80, align 8
  %.87 = inttoptr i64 %.78 to ptr
  %.119 = getelementptr i8, ptr %arg.m.4, i64 192
  %.120 = load i64, ptr %.119, align 8
  %.122 = getelementptr i8, ptr %arg.m.4, i64 208
  %.123 = load i64, ptr %.122, align 8
  %.129 = inttoptr i64 %.120 to ptr
  %.170 = getelementptr i8, ptr %arg.m.4, i64 456
  %.171 = load i64, ptr %.170, align 8
  %.173 = getelementptr i8, ptr %arg.m.4, i64 472
  %.174 = load i64, ptr %.173, align 8
  %.180 = inttoptr i64 %.171 to ptr
  %.208 = getelementptr i8, ptr %arg.m.4, i64 480
  %.209 = load i64, ptr %.208, align 8
  %.211 = getelementptr i8, ptr %arg.m.4, i64 496
  %.212 = load i64, ptr %.211, align 8
  %.218 = inttoptr i64 %.209 to ptr
  %.246 = getelementptr i8, ptr %arg.m.4, i64 504
  %.247 = load i64, ptr %.246, align 8
  %.249 = getelementptr i8, ptr %arg.m.4, i64 520
  %.250 = load i64, ptr %.249, align 8
  %.256 = inttoptr i64 %.247 to ptr
  %.293 = getelementptr i8, ptr %arg.m.4, i64 432
  %.294 = load i64, ptr %.293, align 8
  %.296 = getelementptr i8, ptr %arg.m.4, i64 448
  %.297 = load i64, ptr %.296, align 8
  %.303 = inttoptr i64 %.294 to ptr
  %.331 = getelementptr i8, ptr %arg.m.4, i64 408
  %.332 = load i64, ptr %.331, align 8
  %.334 = getelementptr i8, ptr %arg.m.4, i64 424
  %.335 = load i64, ptr %.334, align 8
  %.341 = inttoptr i64 %.332 to ptr
  %.369 = getelementptr i8, ptr %arg.m.4, i64 720
  %.370 = load i64, ptr %.369, align 8
  %.372 = getelementptr i8, ptr %arg.m.4, i64 736
  %.373 = load i64, ptr %.372, align 8
  %.379 = inttoptr i64 %.370 to ptr
  %.436 = getelementptr i8, ptr %arg.m.4, i64 872
  %.437 = load i64, ptr %.436, align 8
  %.475 = getelementptr i8, ptr %arg.m.4, i64 888
  %.476 = load i64, ptr %.475, align 8
  %.477.not = icmp eq i64 %.476, 0
  br i1 %.477.not, label %B622.preheader.thread, label %B622.preheader

B622.preheader.thread:                            ; preds = %entry
  store i64 %arg.root, ptr %.303, align 8
  %.697 = getelementptr i8, ptr %.303, i64 8
  store i64 %arg.state, ptr %.697, align 8
  br label %B636.preheader.lr.ph

B622.preheader:                                   ; preds = %entry
  %.519 = add nsw i64 %.476, -1
  %.548 = getelementptr i8, ptr %arg.m.4, i64 896
  %.549 = load i64, ptr %.548, align 8
  %.578 = getelementptr i8, ptr %arg.m.4, i64 904
  %.579 = load i64, ptr %.578, align 8
  store i64 0, ptr %.475, align 8
  %.72257.not = icmp sgt i64 %.476, %.549
  br i1 %.72257.not, label %B2126, label %B636.preheader.lr.ph

B636.preheader.lr.ph:                             ; preds = %B622.preheader.thread, %B622.preheader
  %front.4.0.ph87 = phi i64 [ 0, %B622.preheader.thread ], [ %.519, %B622.preheader ]
  %size.3.0.ph86 = phi i64 [ 2, %B622.preheader.thread ], [ %.549, %B622.preheader ]
  %n.8.0.ph85 = phi i64 [ %arg.n, %B622.preheader.thread ], [ %.579, %B622.preheader ]
  %.897 = getelementptr i8, ptr %arg.m.4, i64 840
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 416
  %.49.i1594 = getelementptr i8, ptr %arg.m.4, i64 440
  %.1692.not = icmp eq i64 %arg.sifted, 0
  %.65.i = getelementptr i8, ptr %arg.m.4, i64 96
  %.68.i = getelementptr i8, ptr %arg.m.4, i64 112
  %.63.i = getelementptr i8, ptr %arg.m.4, i64 528
  %.2661 = getelementptr i8, ptr %arg.m.4, i64 880
  br label %B636.outer

B636.outer:                                       ; preds = %B636.preheader.lr.ph, %B2102
  %n.4.1.ph = phi i64 [ %n.8.0.ph85, %B636.preheader.lr.ph ], [ %n.5.2.lcssa, %B2102 ]
  %size.4.1.ph = phi i64 [ %size.3.0.ph86, %B636.preheader.lr.ph ], [ %size.5.2.lcssa, %B2102 ]
  %front.5.1.ph = phi i64 [ %front.4.0.ph87, %B636.preheader.lr.ph ], [ %.2707, %B2102 ]
  %.898 = load i64, ptr %.897, align 8
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !436
  %.904 = add i64 %.50.i, %n.4.1.ph
  %.83.i = load i64, ptr %.334, align 8, !noalias !436
  %.1019 = add i64 %size.4.1.ph, 2
  br label %B636

B636:                                             ; preds = %B636.outer, %B1038
  %front.5.1 = phi i64 [ %.1205, %B1038 ], [ %front.5.1.ph, %B636.outer ]
  %.747 = icmp slt i64 %front.5.1, 0
  %.748 = select i1 %.747, i64 %.297, i64 0
  %0 = getelementptr i64, ptr %.303, i64 %front.5.1
  %.762 = getelementptr i64, ptr %0, i64 %.748
  %.763 = load i64, ptr %.762, align 8
  %.779 = icmp slt i64 %front.5.1, -1
  %.780 = select i1 %.779, i64 %.297, i64 0
  %1 = getelementptr i8, ptr %0, i64 8
  %.794 = getelementptr i64, ptr %1, i64 %.780
  %.795 = load i64, ptr %.794, align 8
  %.812 = icmp slt i64 %.763, 0
  %.813 = select i1 %.812, i64 %.212, i64 0
  %2 = getelementptr i32, ptr %.218, i64 %.763
  %.827 = getelementptr i32, ptr %2, i64 %.813
  %.828 = load i32, ptr %.827, align 4
  %.829 = sext i32 %.828 to i64
  %.844 = icmp slt i64 %.763, -1
  %.845 = select i1 %.844, i64 %.212, i64 0
  %3 = getelementptr i8, ptr %2, i64 4
  %.859 = getelementptr i32, ptr %3, i64 %.845
  %.860 = load i32, ptr %.859, align 4
  %.861 = sext i32 %.860 to i64
  %.901 = sub nsw i64 %.861, %.829
  %.902 = mul nsw i64 %.901, %.898
  %.51.i = add i64 %.904, %.902
  %.84.not.i = icmp sgt i64 %.51.i, %.83.i
  br i1 %.84.not.i, label %B848, label %B884

B848:                                             ; preds = %B636
  %.122.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 51, ptr %.122.i, align 8, !noalias !436
  %.16.i = add nsw i64 %front.5.1, 1
  store i64 %.16.i, ptr %.475, align 8, !noalias !439
  %.73.i = getelementptr i8, ptr %arg.m.4, i64 896
  store i64 %size.4.1.ph, ptr %.73.i, align 8, !noalias !439
  %.102.i = getelementptr i8, ptr %arg.m.4, i64 904
  store i64 %n.4.1.ph, ptr %.102.i, align 8, !noalias !439
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B884:                                             ; preds = %B636
  %.1017 = shl nsw i64 %.901, 1
  %.50.i1595 = load i64, ptr %.49.i1594, align 8, !noalias !442
  %.1020 = add i64 %.1019, %.1017
  %.51.i1596 = add nsw i64 %.1020, %.50.i1595
  %.83.i1598 = load i64, ptr %.296, align 8, !noalias !442
  %.84.not.i1599 = icmp sgt i64 %.51.i1596, %.83.i1598
  br i1 %.84.not.i1599, label %B952, label %B988

B952:                                             ; preds = %B884
  %.122.i1602 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 54, ptr %.122.i1602, align 8, !noalias !442
  %.16.i1603 = add nsw i64 %front.5.1, 1
  store i64 %.16.i1603, ptr %.475, align 8, !noalias !445
  %.73.i1605 = getelementptr i8, ptr %arg.m.4, i64 896
  store i64 %size.4.1.ph, ptr %.73.i1605, align 8, !noalias !445
  %.102.i1606 = getelementptr i8, ptr %arg.m.4, i64 904
  store i64 %n.4.1.ph, ptr %.102.i1606, align 8, !noalias !445
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B988:                                             ; preds = %B884
  %.1154 = icmp slt i64 %.795, 0
  %.1155 = select i1 %.1154, i64 %.39, i64 0
  %.1156 = add i64 %.1155, %.795
  %.idx19 = shl i64 %.1156, 6
  %4 = getelementptr i8, ptr %.45, i64 %.idx19
  %.1180 = getelementptr i8, ptr %4, i64 24
  %.1181 = load i64, ptr %.1180, align 8
  %.1182 = icmp eq i64 %.1181, 0
  %.1186 = icmp eq i32 %.828, %.860
  %or.cond = or i1 %.1186, %.1182
  br i1 %or.cond, label %B1038, label %B1050

B1038:                                            ; preds = %B988
  %.1205 = add nsw i64 %front.5.1, 2
  %.722 = icmp slt i64 %.1205, %size.4.1.ph
  br i1 %.722, label %B636, label %B2126

B1050:                                            ; preds = %B988
  %.1180.le = getelementptr i8, ptr %4, i64 24
  %.1214 = icmp slt i64 %.901, 3
  br i1 %.1214, label %B1078, label %B1114

B1078:                                            ; preds = %B1050
  %arg.m.4.val = load i64, ptr %.35, align 8
  %arg.m.4.val1593 = load i64, ptr %.38, align 8
  %.33.i = inttoptr i64 %arg.m.4.val to ptr
  %.88.i = select i1 %.1154, i64 %arg.m.4.val1593, i64 0
  %.89.i = add i64 %.88.i, %.795
  %.113.idx.i = shl i64 %.89.i, 6
  %.113.i = getelementptr i8, ptr %.33.i, i64 %.113.idx.i
  %.114.i = load i64, ptr %.113.i, align 8, !noalias !448
  %.115.not.i = icmp eq i64 %.114.i, -4
  br i1 %.115.not.i, label %B1108.thread8, label %B1114

B1108.thread8:                                    ; preds = %B1078
  store i64 -5, ptr %.113.i, align 8, !noalias !448
  br label %B1238

B1114:                                            ; preds = %B1050, %B1078
  %.1322 = load i64, ptr %4, align 8
  %.1323 = icmp slt i64 %.1322, 0
  br i1 %.1323, label %B1152, label %B1238

B1152:                                            ; preds = %B1114
  store i64 0, ptr %.1328, align 8
  call fastcc void @states.new_row(ptr %.1328, ptr nonnull %arg.m.4, i64 %.795)
  %.1344 = load i64, ptr %.1328, align 8
  %.1354 = icmp eq i64 %.1344, -3
  br i1 %.1354, label %B1202, label %B1238

B1202:                                            ; preds = %B1152
  %.16.i1608 = add nsw i64 %front.5.1, 1
  store i64 %.16.i1608, ptr %.475, align 8, !noalias !451
  %.73.i1610 = getelementptr i8, ptr %arg.m.4, i64 896
  store i64 %size.4.1.ph, ptr %.73.i1610, align 8, !noalias !451
  %.102.i1611 = getelementptr i8, ptr %arg.m.4, i64 904
  store i64 %n.4.1.ph, ptr %.102.i1611, align 8, !noalias !451
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B1238:                                            ; preds = %B1108.thread8, %B1152, %B1114
  %"$phi1108.0.2.27" = phi i1 [ false, %B1152 ], [ false, %B1114 ], [ true, %B1108.thread8 ]
  %.1544 = load i64, ptr %.1180.le, align 8
  %.1545 = icmp eq i64 %.1544, 1
  %spec.select = tail call i64 @llvm.smax.i64(i64 %.901, i64 0)
  %.165049.not = icmp eq i64 %spec.select, 0
  br i1 %.165049.not, label %B2102, label %B1348.if.lr.ph

B1348.if.lr.ph:                                   ; preds = %B1238
  %.1489 = load i64, ptr %4, align 8
  %.1968 = icmp slt i64 %.1489, 0
  %.1969 = select i1 %.1968, i64 %.81, i64 0
  %.1970 = add i64 %.1969, %.1489
  %.idx = shl i64 %.1970, 10
  %5 = getelementptr i8, ptr %.87, i64 %.idx
  %.1805 = select i1 %.1968, i64 %.123, i64 0
  %.1806 = add i64 %.1805, %.1489
  %.1823 = shl i64 %.1806, 8
  %6 = getelementptr i8, ptr %.129, i64 %.1823
  %.1898 = getelementptr i8, ptr %4, i64 8
  br label %B1348.if

B1356:                                            ; preds = %B1348.if
  %.1708 = icmp slt i64 %.1593.050, 0
  %.1709 = select i1 %.1708, i64 %.373, i64 0
  %7 = getelementptr i8, ptr %.379, i64 %.1593.050
  %.1723 = getelementptr i8, ptr %7, i64 %.1709
  %.1724 = load i8, ptr %.1723, align 1
  %.1726 = icmp eq i8 %.1724, 0
  br i1 %.1726, label %B2127, label %B1382

B1382:                                            ; preds = %B1356, %B1348.if
  br i1 %.1545, label %B1386, label %B1460

B1386:                                            ; preds = %B1382
  %.1759 = icmp slt i64 %.1593.050, 0
  %.1760 = select i1 %.1759, i64 %.174, i64 0
  %8 = getelementptr i8, ptr %.180, i64 %.1593.050
  %.1774 = getelementptr i8, ptr %8, i64 %.1760
  %.1775 = load i8, ptr %.1774, align 1
  %.1782 = zext i8 %.1775 to i64
  %.1827 = getelementptr i8, ptr %6, i64 %.1782
  %.1828 = load i8, ptr %.1827, align 1
  %.1830 = icmp eq i8 %.1828, 0
  br i1 %.1830, label %B2127, label %B1428

B1428:                                            ; preds = %B1386
  %.1899 = load i64, ptr %.1898, align 8
  br label %B1538

B1460:                                            ; preds = %B1382
  br i1 %"$phi1108.0.2.27", label %B1574, label %B1480

B1480:                                            ; preds = %B1460
  %.1923 = icmp slt i64 %.1593.050, 0
  %.1924 = select i1 %.1923, i64 %.174, i64 0
  %9 = getelementptr i8, ptr %.180, i64 %.1593.050
  %.1938 = getelementptr i8, ptr %9, i64 %.1924
  %.1939 = load i8, ptr %.1938, align 1
  %.1946 = zext i8 %.1939 to i64
  %.1991 = getelementptr i32, ptr %5, i64 %.1946
  %.1992 = load i32, ptr %.1991, align 4
  %.1993 = sext i32 %.1992 to i64
  br label %B1538

B1538:                                            ; preds = %B1480, %B1428
  %after.4.4 = phi i64 [ %.1899, %B1428 ], [ %.1993, %B1480 ]
  %.2002 = icmp slt i64 %after.4.4, 0
  br i1 %.2002, label %B1550, label %B1844

B1550:                                            ; preds = %B1538
  %.2007 = icmp eq i64 %after.4.4, -1
  br i1 %.2007, label %B2127, label %B1574

B1574:                                            ; preds = %B1460, %B1550
  %after.4.41316 = phi i64 [ %after.4.4, %B1550 ], [ -2, %B1460 ]
  %.2038 = icmp slt i64 %.1593.050, 0
  %.2039 = select i1 %.2038, i64 %.212, i64 0
  %10 = getelementptr i32, ptr %.218, i64 %.1593.050
  %.2053 = getelementptr i32, ptr %10, i64 %.2039
  %.2054 = load i32, ptr %.2053, align 4
  %.2070 = icmp slt i64 %.1593.050, -1
  %.2071 = select i1 %.2070, i64 %.212, i64 0
  %11 = getelementptr i8, ptr %10, i64 4
  %.2085 = getelementptr i32, ptr %11, i64 %.2071
  %.2086 = load i32, ptr %.2085, align 4
  %.2087 = icmp eq i32 %.2054, %.2086
  br i1 %.2087, label %B1616, label %B1696

B1616:                                            ; preds = %B1574
  br i1 %"$phi1108.0.2.27", label %B1620, label %B1844

B1620:                                            ; preds = %B1616
  %.2107 = select i1 %.2038, i64 %.174, i64 0
  %12 = getelementptr i8, ptr %.180, i64 %.1593.050
  %.2121 = getelementptr i8, ptr %12, i64 %.2107
  %.2122 = load i8, ptr %.2121, align 1
  %.2123 = zext i8 %.2122 to i64
  %.25.i = load i64, ptr %.35, align 8, !noalias !454
  %.28.i = load i64, ptr %.38, align 8, !noalias !454
  %.34.i = inttoptr i64 %.25.i to ptr
  %.66.i = load i64, ptr %.65.i, align 8, !noalias !454
  %.69.i = load i64, ptr %.68.i, align 8, !noalias !454
  %.75.i = inttoptr i64 %.66.i to ptr
  %.103.i = load i64, ptr %.119, align 8, !noalias !454
  %.106.i = load i64, ptr %.122, align 8, !noalias !454
  %.112.i = inttoptr i64 %.103.i to ptr
  %.171.i = select i1 %.1154, i64 %.28.i, i64 0
  %.172.i = add i64 %.171.i, %.795
  %.idx.i = shl i64 %.172.i, 6
  %13 = getelementptr i8, ptr %.34.i, i64 %.idx.i
  %.302.i = getelementptr i8, ptr %13, i64 24
  %.303.i = load i64, ptr %.302.i, align 8, !noalias !454
  %invariant.gep.i = getelementptr i8, ptr %.112.i, i64 %.2123
  %.3861.not.i = icmp slt i64 %.303.i, 1
  br i1 %.3861.not.i, label %B2127, label %B250.if.preheader.i

B250.if.preheader.i:                              ; preds = %B1620
  %.196.i = getelementptr i8, ptr %13, i64 16
  %.197.i = load i64, ptr %.196.i, align 8, !noalias !454
  br label %B250.if.i

B302.i:                                           ; preds = %B250.if.i
  %.449.i = icmp slt i64 %.328.02.i, 0
  %.450.i = select i1 %.449.i, i64 %.69.i, i64 0
  %14 = getelementptr i64, ptr %.75.i, i64 %.328.02.i
  %.464.i = getelementptr i64, ptr %14, i64 %.450.i
  %.465.i = load i64, ptr %.464.i, align 8, !noalias !454
  %.468.i = ashr i64 %.465.i, 32
  %.492.i = icmp slt i64 %.468.i, 0
  %.493.i = select i1 %.492.i, i64 %.106.i, i64 0
  %.494.i = add i64 %.493.i, %.468.i
  %.514.i = shl i64 %.494.i, 8
  %gep.i = getelementptr i8, ptr %invariant.gep.i, i64 %.514.i
  %.519.i = load i8, ptr %gep.i, align 1, !noalias !454
  %.521.i = icmp ne i8 %.519.i, 0
  %.386.i = icmp ugt i64 %.331.03.i, 1
  br i1 %.386.i, label %B250.if.i.backedge, label %states.takes.exit

B250.if.i.backedge:                               ; preds = %B302.i, %B302.i.thread
  %found.2.04.i.be = phi i1 [ %.521.i, %B302.i ], [ true, %B302.i.thread ]
  br label %B250.if.i

B302.i.thread:                                    ; preds = %B250.if.i
  %.386.i89 = icmp ugt i64 %.331.03.i, 1
  br i1 %.386.i89, label %B250.if.i.backedge, label %B1844

B250.if.i:                                        ; preds = %B250.if.i.backedge, %B250.if.preheader.i
  %found.2.04.i = phi i1 [ false, %B250.if.preheader.i ], [ %found.2.04.i.be, %B250.if.i.backedge ]
  %.331.03.i = phi i64 [ %.303.i, %B250.if.preheader.i ], [ %.395.i, %B250.if.i.backedge ]
  %.328.02.i = phi i64 [ %.197.i, %B250.if.preheader.i ], [ %.399.i, %B250.if.i.backedge ]
  %.395.i = add nsw i64 %.331.03.i, -1
  %.399.i = add i64 %.328.02.i, 1
  br i1 %found.2.04.i, label %B302.i.thread, label %B302.i

states.takes.exit:                                ; preds = %B302.i
  br i1 %.521.i, label %B1844, label %B2127

B1696:                                            ; preds = %B1574
  %.2201 = select i1 %.2038, i64 %.174, i64 0
  %15 = getelementptr i8, ptr %.180, i64 %.1593.050
  %.2215 = getelementptr i8, ptr %15, i64 %.2201
  %.2216 = load i8, ptr %.2215, align 1
  %.2217 = zext i8 %.2216 to i64
  store i64 0, ptr %.2220, align 8
  %.2226 = call fastcc i32 @states.step_once(ptr %.2220, ptr %excinfo.9, ptr %arg.m.4, i64 %.795, i64 %.2217)
  %.2228.not = icmp eq i32 %.2226, 0
  %.2236 = load i64, ptr %.2220, align 8
  br i1 %.2228.not, label %B1696.endif, label %B1696.if, !prof !4

B1780:                                            ; preds = %B1696.endif
  %.2260 = icmp eq i64 %.2236, -3
  br i1 %.2260, label %B1802, label %B2127

B1802:                                            ; preds = %B1780
  %.16.i1613 = add nsw i64 %front.5.1, 1
  store i64 %.16.i1613, ptr %.475, align 8, !noalias !457
  %.73.i1615 = getelementptr i8, ptr %arg.m.4, i64 896
  store i64 %size.4.1.ph, ptr %.73.i1615, align 8, !noalias !457
  %.102.i1616 = getelementptr i8, ptr %arg.m.4, i64 904
  store i64 %n.4.1.ph, ptr %.102.i1616, align 8, !noalias !457
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B1844:                                            ; preds = %B302.i.thread, %B1616, %states.takes.exit, %B1696.endif, %B1538
  %after.5.4 = phi i64 [ %after.4.4, %B1538 ], [ %.2236, %B1696.endif ], [ %after.4.41316, %states.takes.exit ], [ %after.4.41316, %B1616 ], [ %after.4.41316, %B302.i.thread ]
  %.2370 = icmp slt i64 %.1593.050, 0
  %.2371 = select i1 %.2370, i64 %.250, i64 0
  %16 = getelementptr i32, ptr %.256, i64 %.1593.050
  %.2385 = getelementptr i32, ptr %16, i64 %.2371
  %.2386 = load i32, ptr %.2385, align 4
  %.2406 = icmp slt i64 %n.5.254, 0
  %.2407 = select i1 %.2406, i64 %.335, i64 0
  %17 = getelementptr i32, ptr %.341, i64 %n.5.254
  %.2421 = getelementptr i32, ptr %17, i64 %.2407
  store i32 %.2386, ptr %.2421, align 4
  %.2425 = icmp sgt i32 %.2386, -1
  %.2428 = zext i1 %.2425 to i64
  %.2429 = add nsw i64 %n.5.254, %.2428
  %.2440 = icmp slt i32 %.2386, -1
  br i1 %.2440, label %B1936, label %B1970

B1936:                                            ; preds = %B1844
  %.27.i1617 = load i64, ptr %.331, align 8, !noalias !460
  %.30.i = load i64, ptr %.334, align 8, !noalias !460
  %.36.i = inttoptr i64 %.27.i1617 to ptr
  %.64.i = load i64, ptr %.63.i, align 8, !noalias !460
  %.73.i1618 = inttoptr i64 %.64.i to ptr
  %narrow = sub nuw nsw i32 -2, %.2386
  br label %B152.i

B152.i:                                           ; preds = %B1936, %B152.i
  %n.2.0.i = phi i64 [ %.169.i, %B152.i ], [ %.2429, %B1936 ]
  %t.1.2.0.i.in = phi i32 [ %.204.i, %B152.i ], [ %narrow, %B1936 ]
  %t.1.2.0.i = zext i32 %t.1.2.0.i.in to i64
  %.150.i = icmp slt i64 %n.2.0.i, 0
  %.151.i = select i1 %.150.i, i64 %.30.i, i64 0
  %18 = getelementptr i32, ptr %.36.i, i64 %n.2.0.i
  %.165.i = getelementptr i32, ptr %18, i64 %.151.i
  store i32 %t.1.2.0.i.in, ptr %.165.i, align 4, !noalias !460
  %.169.i = add nsw i64 %n.2.0.i, 1
  %.203.i = getelementptr i32, ptr %.73.i1618, i64 %t.1.2.0.i
  %.204.i = load i32, ptr %.203.i, align 4, !noalias !460
  %.208.i = icmp sgt i32 %.204.i, -1
  br i1 %.208.i, label %B152.i, label %B1970

B1970:                                            ; preds = %B152.i, %B1844
  %n.7.4 = phi i64 [ %.2429, %B1844 ], [ %.169.i, %B152.i ]
  %.2498 = icmp slt i64 %size.5.255, 0
  %.2499 = select i1 %.2498, i64 %.297, i64 0
  %19 = getelementptr i64, ptr %.303, i64 %size.5.255
  %.2513 = getelementptr i64, ptr %19, i64 %.2499
  store i64 %.1593.050, ptr %.2513, align 8
  %.2531 = icmp slt i64 %size.5.255, -1
  %.2532 = select i1 %.2531, i64 %.297, i64 0
  %20 = getelementptr i8, ptr %19, i64 8
  %.2546 = getelementptr i64, ptr %20, i64 %.2532
  store i64 %after.5.4, ptr %.2546, align 8
  %.2563 = select i1 %.2370, i64 %.212, i64 0
  %21 = getelementptr i32, ptr %.218, i64 %.1593.050
  %.2577 = getelementptr i32, ptr %21, i64 %.2563
  %.2578 = load i32, ptr %.2577, align 4
  %.2594 = icmp slt i64 %.1593.050, -1
  %.2595 = select i1 %.2594, i64 %.212, i64 0
  %22 = getelementptr i8, ptr %21, i64 4
  %.2609 = getelementptr i32, ptr %22, i64 %.2595
  %.2610 = load i32, ptr %.2609, align 4
  %.2611 = icmp slt i32 %.2578, %.2610
  %.2614 = icmp ne i64 %.1593.050, %.437
  %.2615 = and i1 %.2614, %.2611
  %.2618 = select i1 %.2615, i64 2, i64 0
  %.2620 = add nsw i64 %.2618, %size.5.255
  %.2628 = icmp eq i64 %.1593.050, %.437
  br i1 %.2628, label %B2078, label %B2127

B2078:                                            ; preds = %B1970
  store i64 %after.5.4, ptr %.2661, align 8
  br label %B2127

B2102:                                            ; preds = %B2127, %B1238
  %n.5.2.lcssa = phi i64 [ %n.4.1.ph, %B1238 ], [ %n.6.3, %B2127 ]
  %size.5.2.lcssa = phi i64 [ %size.4.1.ph, %B1238 ], [ %size.6.3, %B2127 ]
  %.2707 = add nsw i64 %front.5.1, 2
  %.2711 = icmp slt i64 %.2707, %size.5.2.lcssa
  br i1 %.2711, label %B636.outer, label %B2126

common.ret:                                       ; preds = %B1696.if, %B1802, %B1202, %B952, %B848, %B2126
  %common.ret.op = phi i32 [ 0, %B2126 ], [ 0, %B1202 ], [ 0, %B848 ], [ 0, %B1802 ], [ 1, %B1696.if ], [ 0, %B952 ]
  ret i32 %common.ret.op

B2126:                                            ; preds = %B1038, %B2102, %B622.preheader
  %n.9.2 = phi i64 [ %.579, %B622.preheader ], [ %n.4.1.ph, %B1038 ], [ %n.5.2.lcssa, %B2102 ]
  store i64 %n.9.2, ptr %retptr, align 8
  br label %common.ret

B2127:                                            ; preds = %B1620, %B1970, %B2078, %B1780, %states.takes.exit, %B1550, %B1386, %B1356
  %n.6.3 = phi i64 [ %n.5.254, %states.takes.exit ], [ %n.5.254, %B1356 ], [ %n.5.254, %B1386 ], [ %n.5.254, %B1780 ], [ %n.5.254, %B1550 ], [ %n.7.4, %B2078 ], [ %n.7.4, %B1970 ], [ %n.5.254, %B1620 ]
  %size.6.3 = phi i64 [ %size.5.255, %states.takes.exit ], [ %size.5.255, %B1356 ], [ %size.5.255, %B1386 ], [ %size.5.255, %B1780 ], [ %size.5.255, %B1550 ], [ %.2620, %B2078 ], [ %.2620, %B1970 ], [ %size.5.255, %B1620 ]
  %.1650 = icmp sgt i64 %.1596.053, 1
  br i1 %.1650, label %B1348.if, label %B2102

B1348.if:                                         ; preds = %B1348.if.lr.ph, %B2127
  %size.5.255 = phi i64 [ %size.4.1.ph, %B1348.if.lr.ph ], [ %size.6.3, %B2127 ]
  %n.5.254 = phi i64 [ %n.4.1.ph, %B1348.if.lr.ph ], [ %n.6.3, %B2127 ]
  %.1596.053 = phi i64 [ %spec.select, %B1348.if.lr.ph ], [ %.1659, %B2127 ]
  %.1593.050 = phi i64 [ %.829, %B1348.if.lr.ph ], [ %.1663, %B2127 ]
  %.1659 = add nsw i64 %.1596.053, -1
  %.1663 = add nsw i64 %.1593.050, 1
  br i1 %.1692.not, label %B1382, label %B1356

B1696.if:                                         ; preds = %B1696
  %.2227 = load ptr, ptr %excinfo.9, align 8
  store ptr %.2227, ptr %excinfo, align 8
  br label %common.ret

B1696.endif:                                      ; preds = %B1696
  %.2253 = icmp slt i64 %.2236, 0
  br i1 %.2253, label %B1780, label %B1844
}

define internal fastcc i32 @states.step_once(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.state, i64 %arg.byte) unnamed_addr {
entry:
  %.344 = alloca i64, align 8
  %excinfo.1 = alloca ptr, align 8
  store ptr null, ptr %excinfo.1, align 8
  %.734 = alloca i64, align 8
  %.873 = alloca i64, align 8
  %excinfo.4 = alloca ptr, align 8
  store ptr null, ptr %excinfo.4, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 120
  %.30 = load i64, ptr %.29, align 8
  %.32 = getelementptr i8, ptr %arg.m.4, i64 136
  %.33 = load i64, ptr %.32, align 8
  %.39 = inttoptr i64 %.30 to ptr
  %.71 = getelementptr i8, ptr %arg.m.4, i64 96
  %.72 = load i64, ptr %.71, align 8
  %.74 = getelementptr i8, ptr %arg.m.4, i64 112
  %.75 = load i64, ptr %.74, align 8
  %.81 = inttoptr i64 %.72 to ptr
  %.109 = getelementptr i8, ptr %arg.m.4, i64 192
  %.110 = load i64, ptr %.109, align 8
  %.112 = getelementptr i8, ptr %arg.m.4, i64 208
  %.113 = load i64, ptr %.112, align 8
  %.119 = inttoptr i64 %.110 to ptr
  %.179 = icmp slt i64 %arg.state, 0
  %.180 = select i1 %.179, i64 %.33, i64 0
  %.181 = add i64 %.180, %arg.state
  %.idx = shl i64 %.181, 6
  %0 = getelementptr i8, ptr %.39, i64 %.idx
  %.205 = getelementptr i8, ptr %0, i64 16
  %.206 = load i64, ptr %.205, align 8
  %.260 = getelementptr i8, ptr %0, i64 24
  %.261 = load i64, ptr %.260, align 8
  %.269 = icmp slt i64 %.261, 2
  br i1 %.269, label %B240, label %B202

B202:                                             ; preds = %entry
  %.325 = load i64, ptr %0, align 8
  %.328 = icmp sgt i64 %.325, -1
  br i1 %.328, label %B240, label %B274

B240:                                             ; preds = %B202, %entry
  store i64 0, ptr %.344, align 8
  %.350 = call fastcc i32 @states.step(ptr %.344, ptr %excinfo.1, ptr nonnull %arg.m.4, i64 %arg.state, i64 %arg.byte)
  %.352.not = icmp eq i32 %.350, 0
  br i1 %.352.not, label %B240.endif, label %B240.if, !prof !4

B274:                                             ; preds = %B202
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 272
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !463
  %.51.i = add nsw i64 %.50.i, %.261
  %.82.i = getelementptr i8, ptr %arg.m.4, i64 280
  %.83.i = load i64, ptr %.82.i, align 8, !noalias !463
  %.84.not.i = icmp sgt i64 %.51.i, %.83.i
  br i1 %.84.not.i, label %B318, label %B442.if.lr.ph

common.ret:                                       ; preds = %B612.if, %B240.if, %B240.endif, %B656, %B570, %B318
  %common.ret.op = phi i32 [ 0, %B318 ], [ 0, %B570 ], [ 0, %B656 ], [ 0, %B240.endif ], [ 1, %B612.if ], [ 1, %B240.if ]
  ret i32 %common.ret.op

B318:                                             ; preds = %B274
  %.122.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 33, ptr %.122.i, align 8, !noalias !463
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B442.if.lr.ph:                                    ; preds = %B274
  %.443 = getelementptr i8, ptr %arg.m.4, i64 264
  %.444 = load i64, ptr %.443, align 8
  %.453 = inttoptr i64 %.444 to ptr
  %invariant.gep = getelementptr i8, ptr %.119, i64 %arg.byte
  %1 = lshr i64 %arg.byte, 55
  %2 = and i64 %1, 256
  %invariant.gep8 = getelementptr i8, ptr %invariant.gep, i64 %2
  br label %B442.if

B484:                                             ; preds = %B442.if
  store i64 0, ptr %.734, align 8
  call fastcc void @leaves.after_leaf(ptr %.734, ptr %arg.m.4, i64 %.641, i64 %arg.byte)
  %.750 = load i64, ptr %.734, align 8
  %.774 = icmp slt i64 %found.2.07, 0
  %.775 = select i1 %.774, i64 %.83.i, i64 0
  %3 = getelementptr i64, ptr %.453, i64 %found.2.07
  %.789 = getelementptr i64, ptr %3, i64 %.775
  store i64 %.750, ptr %.789, align 8
  %.822 = icmp eq i64 %.750, -3
  br i1 %.822, label %B570, label %B588

B570:                                             ; preds = %B484
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B588:                                             ; preds = %B484
  %.841 = add nsw i64 %found.2.07, 1
  br label %B598

B598:                                             ; preds = %B588, %B442.if
  %found.3.1 = phi i64 [ %.841, %B588 ], [ %found.2.07, %B442.if ]
  %.566 = icmp ugt i64 %.513.06, 1
  br i1 %.566, label %B442.if, label %B600

B600:                                             ; preds = %B598
  %.868 = icmp sgt i64 %found.3.1, 0
  br i1 %.868, label %B612, label %B656

B612:                                             ; preds = %B600
  store i64 0, ptr %.873, align 8
  %.879 = call fastcc i32 @states.join(ptr %.873, ptr %excinfo.4, ptr %arg.m.4, i64 %found.3.1)
  %.881.not = icmp eq i32 %.879, 0
  br i1 %.881.not, label %B612.endif, label %B612.if, !prof !4

B656:                                             ; preds = %B600, %B612.endif
  %"$phi656.0.2.0" = phi i64 [ %.889, %B612.endif ], [ -1, %B600 ]
  store i64 %"$phi656.0.2.0", ptr %retptr, align 8
  br label %common.ret

B240.if:                                          ; preds = %B240
  %.351 = load ptr, ptr %excinfo.1, align 8
  store ptr %.351, ptr %excinfo, align 8
  br label %common.ret

B240.endif:                                       ; preds = %B240
  %.360 = load i64, ptr %.344, align 8
  store i64 %.360, ptr %retptr, align 8
  br label %common.ret

B442.if:                                          ; preds = %B442.if.lr.ph, %B598
  %found.2.07 = phi i64 [ 0, %B442.if.lr.ph ], [ %found.3.1, %B598 ]
  %.513.06 = phi i64 [ %.261, %B442.if.lr.ph ], [ %.575, %B598 ]
  %.510.05 = phi i64 [ %.206, %B442.if.lr.ph ], [ %.579, %B598 ]
  %.575 = add nsw i64 %.513.06, -1
  %.579 = add i64 %.510.05, 1
  %.625 = icmp slt i64 %.510.05, 0
  %.626 = select i1 %.625, i64 %.75, i64 0
  %4 = getelementptr i64, ptr %.81, i64 %.510.05
  %.640 = getelementptr i64, ptr %4, i64 %.626
  %.641 = load i64, ptr %.640, align 8
  %.642 = ashr i64 %.641, 32
  %.666 = icmp slt i64 %.642, 0
  %.667 = select i1 %.666, i64 %.113, i64 0
  %.668 = add i64 %.667, %.642
  %.688 = shl i64 %.668, 8
  %gep9 = getelementptr i8, ptr %invariant.gep8, i64 %.688
  %.693 = load i8, ptr %gep9, align 1
  %.694.not = icmp eq i8 %.693, 0
  br i1 %.694.not, label %B598, label %B484

B612.if:                                          ; preds = %B612
  %.880 = load ptr, ptr %excinfo.4, align 8
  store ptr %.880, ptr %excinfo, align 8
  br label %common.ret

B612.endif:                                       ; preds = %B612
  %.889 = load i64, ptr %.873, align 8
  br label %B656
}

define internal fastcc void @states.free_slot(ptr noalias nonnull writeonly %retptr, ptr readonly %arg.slots.4, i64 %arg.slots.5.0, i64 %arg.near, i64 %arg.h, i64 %arg.room) unnamed_addr {
entry:
  %.52.i = add nsw i64 %arg.room, -1
  %.55.i = and i64 %.52.i, %arg.near
  %.73 = icmp slt i64 %.55.i, 0
  %.74 = select i1 %.73, i64 %arg.slots.5.0, i64 0
  %0 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i
  %.88 = getelementptr i32, ptr %0, i64 %.74
  %.89 = load i32, ptr %.88, align 4
  %.91.not = icmp eq i32 %.89, 0
  br i1 %.91.not, label %terms.slot_of.exit64, label %B90.preheader

B90.preheader:                                    ; preds = %entry
  %.25.i = lshr i64 %arg.h, 32
  %.27.i = and i64 %arg.h, 268435454
  %.30.i = or i64 %.27.i, 1
  %.46.i.peel = add nsw i64 %arg.near, 1
  %.55.i52.peel = and i64 %.46.i.peel, %.52.i
  %.140.peel = icmp slt i64 %.55.i52.peel, 0
  %.141.peel = select i1 %.140.peel, i64 %arg.slots.5.0, i64 0
  %1 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52.peel
  %.155.peel = getelementptr i32, ptr %1, i64 %.141.peel
  %.156.peel = load i32, ptr %.155.peel, align 4
  %.158.not.peel = icmp eq i32 %.156.peel, 0
  br i1 %.158.not.peel, label %terms.slot_of.exit64, label %B90.peel.next

B90.peel.next:                                    ; preds = %B90.preheader
  %.46.i.peel11 = add nsw i64 %arg.near, 2
  %.55.i52.peel12 = and i64 %.46.i.peel11, %.52.i
  %.140.peel13 = icmp slt i64 %.55.i52.peel12, 0
  %.141.peel14 = select i1 %.140.peel13, i64 %arg.slots.5.0, i64 0
  %2 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52.peel12
  %.155.peel15 = getelementptr i32, ptr %2, i64 %.141.peel14
  %.156.peel16 = load i32, ptr %.155.peel15, align 4
  %.158.not.peel17 = icmp eq i32 %.156.peel16, 0
  br i1 %.158.not.peel17, label %terms.slot_of.exit64, label %B90.peel.next4

B90.peel.next4:                                   ; preds = %B90.peel.next
  %.46.i.peel25 = add nsw i64 %arg.near, 3
  %.55.i52.peel26 = and i64 %.46.i.peel25, %.52.i
  %.140.peel27 = icmp slt i64 %.55.i52.peel26, 0
  %.141.peel28 = select i1 %.140.peel27, i64 %arg.slots.5.0, i64 0
  %3 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52.peel26
  %.155.peel29 = getelementptr i32, ptr %3, i64 %.141.peel28
  %.156.peel30 = load i32, ptr %.155.peel29, align 4
  %.158.not.peel31 = icmp eq i32 %.156.peel30, 0
  br i1 %.158.not.peel31, label %terms.slot_of.exit64, label %B90.peel.next18

B90.peel.next18:                                  ; preds = %B90.peel.next4
  %.46.i.peel39 = add nsw i64 %arg.near, 4
  %.55.i52.peel40 = and i64 %.46.i.peel39, %.52.i
  %.140.peel41 = icmp slt i64 %.55.i52.peel40, 0
  %.141.peel42 = select i1 %.140.peel41, i64 %arg.slots.5.0, i64 0
  %4 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52.peel40
  %.155.peel43 = getelementptr i32, ptr %4, i64 %.141.peel42
  %.156.peel44 = load i32, ptr %.155.peel43, align 4
  %.158.not.peel45 = icmp eq i32 %.156.peel44, 0
  br i1 %.158.not.peel45, label %terms.slot_of.exit64, label %B90.peel.next32

B90.peel.next32:                                  ; preds = %B90.peel.next18
  %.46.i.peel53 = add nsw i64 %arg.near, 5
  %.55.i52.peel54 = and i64 %.46.i.peel53, %.52.i
  %.140.peel55 = icmp slt i64 %.55.i52.peel54, 0
  %.141.peel56 = select i1 %.140.peel55, i64 %arg.slots.5.0, i64 0
  %5 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52.peel54
  %.155.peel57 = getelementptr i32, ptr %5, i64 %.141.peel56
  %.156.peel58 = load i32, ptr %.155.peel57, align 4
  %.158.not.peel59 = icmp eq i32 %.156.peel58, 0
  br i1 %.158.not.peel59, label %terms.slot_of.exit64, label %B90.peel.next46

B90.peel.next46:                                  ; preds = %B90.peel.next32
  %.46.i.peel67 = add nsw i64 %arg.near, 6
  %.55.i52.peel68 = and i64 %.46.i.peel67, %.52.i
  %.140.peel69 = icmp slt i64 %.55.i52.peel68, 0
  %.141.peel70 = select i1 %.140.peel69, i64 %arg.slots.5.0, i64 0
  %6 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52.peel68
  %.155.peel71 = getelementptr i32, ptr %6, i64 %.141.peel70
  %.156.peel72 = load i32, ptr %.155.peel71, align 4
  %.158.not.peel73 = icmp eq i32 %.156.peel72, 0
  br i1 %.158.not.peel73, label %terms.slot_of.exit64, label %B90.peel.next60

B90.peel.next60:                                  ; preds = %B90.peel.next46
  %.46.i.peel81 = add nsw i64 %arg.near, 7
  %.55.i52.peel82 = and i64 %.46.i.peel81, %.52.i
  %.140.peel83 = icmp slt i64 %.55.i52.peel82, 0
  %.141.peel84 = select i1 %.140.peel83, i64 %arg.slots.5.0, i64 0
  %7 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52.peel82
  %.155.peel85 = getelementptr i32, ptr %7, i64 %.141.peel84
  %.156.peel86 = load i32, ptr %.155.peel85, align 4
  %.158.not.peel87 = icmp eq i32 %.156.peel86, 0
  br i1 %.158.not.peel87, label %terms.slot_of.exit64, label %B90

B90:                                              ; preds = %B90.peel.next60, %B90
  %i.2.0 = phi i64 [ %.94, %B90 ], [ 7, %B90.peel.next60 ]
  %.94 = add nuw nsw i64 %i.2.0, 1
  %spec.select3 = mul nuw nsw i64 %.94, %.30.i
  %.46.i = add nuw nsw i64 %spec.select3, %.25.i
  %.55.i52 = and i64 %.46.i, %.52.i
  %8 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52
  %.156 = load i32, ptr %8, align 4
  %.158.not = icmp eq i32 %.156, 0
  br i1 %.158.not, label %B156, label %B90, !llvm.loop !466

B156:                                             ; preds = %B90
  %9 = icmp ugt i64 %i.2.0, 6
  %spec.select = select i1 %9, i64 %.25.i, i64 %arg.near
  %.32.i63 = select i1 %9, i64 %.30.i, i64 1
  %spec.select91 = mul nuw nsw i64 %.94, %.32.i63
  br label %terms.slot_of.exit64

terms.slot_of.exit64:                             ; preds = %B156, %B90.peel.next46, %B90.peel.next32, %B90.peel.next18, %B90.peel.next4, %B90.peel.next, %B90.preheader, %B90.peel.next60, %entry
  %near.2.0.i54 = phi i64 [ %arg.near, %B90.peel.next46 ], [ %spec.select, %B156 ], [ %arg.near, %entry ], [ %arg.near, %B90.peel.next60 ], [ %arg.near, %B90.preheader ], [ %arg.near, %B90.peel.next ], [ %arg.near, %B90.peel.next4 ], [ %arg.near, %B90.peel.next18 ], [ %arg.near, %B90.peel.next32 ]
  %i.2.0.i55 = phi i64 [ 6, %B90.peel.next46 ], [ %spec.select91, %B156 ], [ 0, %entry ], [ 7, %B90.peel.next60 ], [ 1, %B90.preheader ], [ 2, %B90.peel.next ], [ 3, %B90.peel.next4 ], [ 4, %B90.peel.next18 ], [ 5, %B90.peel.next32 ]
  %.46.i56 = add nsw i64 %i.2.0.i55, %near.2.0.i54
  %.55.i58 = and i64 %.46.i56, %.52.i
  store i64 %.55.i58, ptr %retptr, align 8
  ret void
}

define internal fastcc void @bits.mark_around(ptr noalias nonnull writeonly %retptr, i64 %arg.marked, i64 %arg.size, i64 %arg.nodes, i64 %arg.count, i64 %arg.parent, i64 %arg.first) unnamed_addr {
entry:
  %.15 = inttoptr i64 %arg.marked to ptr
  %.40 = inttoptr i64 %arg.nodes to ptr
  %.71 = inttoptr i64 %arg.parent to ptr
  %.91 = add nsw i64 %arg.size, 1
  %.97 = inttoptr i64 %arg.first to ptr
  %.2046.not = icmp slt i64 %arg.count, 1
  br i1 %.2046.not, label %B638, label %B168.if

B226:                                             ; preds = %B168.if
  %.276 = zext i32 %.275 to i64
  %.316 = getelementptr i8, ptr %.15, i64 %.276
  %.317 = load i8, ptr %.316, align 1
  %0 = and i8 %.317, 1
  %.322 = icmp eq i8 %0, 0
  br i1 %.322, label %B256, label %B372

B256:                                             ; preds = %B226, %B342
  %.357 = phi i8 [ %.465, %B342 ], [ %.317, %B226 ]
  %node.3.2 = phi i64 [ %.425, %B342 ], [ %.276, %B226 ]
  %.356 = getelementptr i8, ptr %.15, i64 %node.3.2
  %1 = or i8 %.357, 1
  store i8 %1, ptr %.356, align 1
  %.421 = getelementptr i32, ptr %.71, i64 %node.3.2
  %.422 = load i32, ptr %.421, align 4
  %.430 = icmp sgt i32 %.422, -1
  br i1 %.430, label %B342, label %B372.loopexit

B342:                                             ; preds = %B256
  %.425 = zext i32 %.422 to i64
  %.464 = getelementptr i8, ptr %.15, i64 %.425
  %.465 = load i8, ptr %.464, align 1
  %2 = and i8 %.465, 1
  %.470 = icmp eq i8 %2, 0
  br i1 %.470, label %B256, label %B372.loopexit

B372.loopexit:                                    ; preds = %B256, %B342
  %.513.pre = load i32, ptr %10, align 4
  br label %B372

B372:                                             ; preds = %B372.loopexit, %B226, %B168.if
  %.513 = phi i32 [ %.513.pre, %B372.loopexit ], [ %.275, %B226 ], [ %.275, %B168.if ]
  %.516 = sext i32 %.513 to i64
  %.534 = icmp slt i32 %.513, 0
  %.535 = select i1 %.534, i64 %arg.size, i64 0
  %3 = getelementptr i8, ptr %.15, i64 %.535
  %.549 = getelementptr i8, ptr %3, i64 %.516
  %.550 = load i8, ptr %.549, align 1
  %4 = and i8 %.550, 2
  %.553 = icmp eq i8 %4, 0
  br i1 %.553, label %B444, label %B636

B444:                                             ; preds = %B372
  %.556 = add nsw i64 %.516, 1
  br label %B470

B470:                                             ; preds = %B444, %B540
  %high.2.2 = phi i64 [ %.556, %B444 ], [ %.821, %B540 ]
  %low.2.2 = phi i64 [ %.516, %B444 ], [ %.789, %B540 ]
  %.609 = sub nsw i64 %high.2.2, %low.2.2
  %.6523.not = icmp slt i64 %.609, 1
  br i1 %.6523.not, label %B540, label %B502.if.preheader

B502.if.preheader:                                ; preds = %B470
  %.neg = add nsw i64 %low.2.2, 1
  %xtraiter = and i64 %.609, 1
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B502.if.prol.loopexit, label %B502.if.prol

B502.if.prol:                                     ; preds = %B502.if.preheader
  %.661.prol = add nsw i64 %.609, -1
  %.665.prol = add nsw i64 %low.2.2, 1
  %.703.prol = icmp slt i64 %low.2.2, 0
  %.704.prol = select i1 %.703.prol, i64 %arg.size, i64 0
  %5 = getelementptr i8, ptr %.15, i64 %low.2.2
  %.718.prol = getelementptr i8, ptr %5, i64 %.704.prol
  %.719.prol = load i8, ptr %.718.prol, align 1
  %6 = or i8 %.719.prol, 2
  store i8 %6, ptr %.718.prol, align 1
  br label %B502.if.prol.loopexit

B502.if.prol.loopexit:                            ; preds = %B502.if.prol, %B502.if.preheader
  %.599.05.unr = phi i64 [ %.609, %B502.if.preheader ], [ %.661.prol, %B502.if.prol ]
  %.596.04.unr = phi i64 [ %low.2.2, %B502.if.preheader ], [ %.665.prol, %B502.if.prol ]
  %7 = icmp eq i64 %high.2.2, %.neg
  br i1 %7, label %B540, label %B502.if

B540:                                             ; preds = %B502.if.prol.loopexit, %B502.if, %B470
  %.772 = icmp slt i64 %low.2.2, 0
  %.773 = select i1 %.772, i64 %.91, i64 0
  %8 = getelementptr i32, ptr %.97, i64 %low.2.2
  %.787 = getelementptr i32, ptr %8, i64 %.773
  %.788 = load i32, ptr %.787, align 4
  %.789 = sext i32 %.788 to i64
  %.804 = icmp slt i64 %high.2.2, 0
  %.805 = select i1 %.804, i64 %.91, i64 0
  %9 = getelementptr i32, ptr %.97, i64 %high.2.2
  %.819 = getelementptr i32, ptr %9, i64 %.805
  %.820 = load i32, ptr %.819, align 4
  %.821 = sext i32 %.820 to i64
  %.826 = icmp slt i32 %.788, %.820
  br i1 %.826, label %B470, label %B636

B636:                                             ; preds = %B540, %B372
  %exitcond.not = icmp eq i64 %arg.count, %.217
  br i1 %exitcond.not, label %B638, label %B168.if

B638:                                             ; preds = %B636, %entry
  store i64 0, ptr %retptr, align 8
  ret void

B168.if:                                          ; preds = %entry, %B636
  %.146.07 = phi i64 [ %.217, %B636 ], [ 0, %entry ]
  %.217 = add nuw nsw i64 %.146.07, 1
  %10 = getelementptr i32, ptr %.40, i64 %.146.07
  %.275 = load i32, ptr %10, align 4
  %.281 = icmp sgt i32 %.275, -1
  br i1 %.281, label %B226, label %B372

B502.if:                                          ; preds = %B502.if.prol.loopexit, %B502.if
  %.599.05 = phi i64 [ %.661.1, %B502.if ], [ %.599.05.unr, %B502.if.prol.loopexit ]
  %.596.04 = phi i64 [ %.665.1, %B502.if ], [ %.596.04.unr, %B502.if.prol.loopexit ]
  %.703 = icmp slt i64 %.596.04, 0
  %.704 = select i1 %.703, i64 %arg.size, i64 0
  %11 = getelementptr i8, ptr %.15, i64 %.596.04
  %.718 = getelementptr i8, ptr %11, i64 %.704
  %.719 = load i8, ptr %.718, align 1
  %12 = or i8 %.719, 2
  store i8 %12, ptr %.718, align 1
  %.661.1 = add nsw i64 %.599.05, -2
  %.665.1 = add nsw i64 %.596.04, 2
  %.703.1 = icmp slt i64 %.596.04, -1
  %.704.1 = select i1 %.703.1, i64 %arg.size, i64 0
  %13 = getelementptr i8, ptr %.15, i64 %.596.04
  %14 = getelementptr i8, ptr %13, i64 1
  %.718.1 = getelementptr i8, ptr %14, i64 %.704.1
  %.719.1 = load i8, ptr %.718.1, align 1
  %15 = or i8 %.719.1, 2
  store i8 %15, ptr %.718.1, align 1
  %.652.1 = icmp sgt i64 %.599.05, 2
  br i1 %.652.1, label %B502.if, label %B540
}

define internal fastcc void @bits.weigh(ptr noalias nonnull writeonly %retptr, i64 %arg.byte, i64 %arg.parent, i64 %arg.size, i64 %arg.sizes, i64 %arg.weight) unnamed_addr {
entry:
  %.17 = inttoptr i64 %arg.byte to ptr
  %.43 = inttoptr i64 %arg.parent to ptr
  %.75 = inttoptr i64 %arg.sizes to ptr
  %.100 = inttoptr i64 %arg.weight to ptr
  %.163 = add i64 %arg.size, -1
  %.2081.not = icmp slt i64 %.163, 1
  br i1 %.2081.not, label %B318, label %B190.if

B318:                                             ; preds = %B190.if, %entry
  store i64 0, ptr %retptr, align 8
  ret void

B190.if:                                          ; preds = %entry, %B190.if
  %.150.02 = phi i64 [ %.221, %B190.if ], [ 1, %entry ]
  %.221 = add nuw i64 %.150.02, 1
  %.247 = sub nsw i64 %arg.size, %.150.02
  %.261 = icmp slt i64 %.247, 0
  %.262 = select i1 %.261, i64 %arg.size, i64 0
  %.263 = add i64 %.262, %.247
  %.276 = getelementptr i32, ptr %.43, i64 %.263
  %.277 = load i32, ptr %.276, align 4
  %.279 = sext i32 %.277 to i64
  %.292 = icmp slt i32 %.277, 0
  %.293 = select i1 %.292, i64 %arg.size, i64 0
  %0 = getelementptr i64, ptr %.75, i64 %.293
  %.307 = getelementptr i64, ptr %0, i64 %.279
  %.308 = load i64, ptr %.307, align 8
  %.337 = getelementptr i64, ptr %.75, i64 %.263
  %.338 = load i64, ptr %.337, align 8
  %.339 = add nsw i64 %.338, %.308
  store i64 %.339, ptr %.307, align 8
  %.399 = getelementptr i8, ptr %.17, i64 %.263
  %.400 = load i8, ptr %.399, align 1
  %.402 = zext i8 %.400 to i64
  %.427 = getelementptr i64, ptr %.100, i64 %.402
  %.428 = load i64, ptr %.427, align 8
  %.458 = load i64, ptr %.337, align 8
  %.459 = add nsw i64 %.458, %.428
  store i64 %.459, ptr %.427, align 8
  %exitcond.not = icmp eq i64 %.221, %arg.size
  br i1 %exitcond.not, label %B318, label %B190.if
}

define internal fastcc void @bits.set_containing(ptr noalias nonnull writeonly %retptr, i64 %arg.masks, i64 %arg.words, i64 %arg.spelling, i64 %arg.spelled, i64 %arg.tokens, i64 %arg.after) unnamed_addr {
entry:
  %.20 = inttoptr i64 %arg.spelled to ptr
  %.44 = shl nsw i64 %arg.words, 7
  %.50 = inttoptr i64 %arg.masks to ptr
  %0 = tail call i64 @llvm.smin.i64(i64 %arg.tokens, i64 -1)
  %1 = getelementptr i32, ptr %.20, i64 %arg.tokens
  %2 = getelementptr i32, ptr %1, i64 %0
  %.98 = getelementptr i8, ptr %2, i64 4
  %.99 = load i32, ptr %.98, align 4
  %.100 = sext i32 %.99 to i64
  %.106 = inttoptr i64 %arg.spelling to ptr
  %.2136.not = icmp slt i64 %arg.tokens, 1
  br i1 %.2136.not, label %B410, label %B180.if

B180.loopexit:                                    ; preds = %B406, %B180.if
  %exitcond.not = icmp eq i64 %arg.tokens, %.226
  br i1 %exitcond.not, label %B410, label %B180.if

B280:                                             ; preds = %B252.if
  %.472 = zext i8 %.471 to i64
  %.510 = mul nsw i64 %arg.words, %.472
  %.513 = add nsw i64 %.510, %.512
  %.527 = icmp slt i64 %.513, 0
  %.528 = select i1 %.527, i64 %.44, i64 0
  %3 = getelementptr i32, ptr %.50, i64 %.513
  %.542 = getelementptr i32, ptr %3, i64 %.528
  %.543 = load i32, ptr %.542, align 4
  %.582 = or i32 %.543, %6
  store i32 %.582, ptr %.542, align 4
  br label %B406

B406:                                             ; preds = %B280, %B252.if
  %.400 = icmp ugt i64 %.347.05, 1
  br i1 %.400, label %B252.if, label %B180.loopexit

B410:                                             ; preds = %B180.loopexit, %entry
  store i64 0, ptr %retptr, align 8
  ret void

B180.if:                                          ; preds = %entry, %B180.loopexit
  %.155.07 = phi i64 [ %.226, %B180.loopexit ], [ 0, %entry ]
  %.226 = add nuw nsw i64 %.155.07, 1
  %4 = getelementptr i32, ptr %.20, i64 %.155.07
  %.284 = load i32, ptr %4, align 4
  %.286 = sext i32 %.284 to i64
  %.287 = add nsw i64 %arg.after, %.286
  %5 = getelementptr i8, ptr %4, i64 4
  %.319 = load i32, ptr %5, align 4
  %.320 = sext i32 %.319 to i64
  %.357 = sub i64 %.320, %.287
  %.4003.not = icmp slt i64 %.357, 1
  br i1 %.4003.not, label %B180.loopexit, label %B252.if.lr.ph

B252.if.lr.ph:                                    ; preds = %B180.if
  %.512 = lshr i64 %.155.07, 5
  %.547 = and i64 %.155.07, 31
  %.550 = shl nuw nsw i64 1, %.547
  %6 = trunc i64 %.550 to i32
  br label %B252.if

B252.if:                                          ; preds = %B252.if.lr.ph, %B406
  %.347.05 = phi i64 [ %.357, %B252.if.lr.ph ], [ %.409, %B406 ]
  %.344.04 = phi i64 [ %.287, %B252.if.lr.ph ], [ %.413, %B406 ]
  %.409 = add nsw i64 %.347.05, -1
  %.413 = add i64 %.344.04, 1
  %.455 = icmp slt i64 %.344.04, 0
  %.456 = select i1 %.455, i64 %.100, i64 0
  %7 = getelementptr i8, ptr %.106, i64 %.344.04
  %.470 = getelementptr i8, ptr %7, i64 %.456
  %.471 = load i8, ptr %.470, align 1
  %.473 = icmp sgt i8 %.471, -1
  br i1 %.473, label %B280, label %B406
}

define ptr @python.serve(ptr readnone %self, ptr readonly %args, i64 %n) local_unnamed_addr {
  %result = alloca i64, align 8
  %raised = alloca ptr, align 8
  %enough = icmp eq i64 %n, 4
  br i1 %enough, label %take0, label %count

take0:                                            ; preds = %0
  %object0 = load ptr, ptr %args, align 8
  %x0 = tail call i64 @PyLong_AsLongLong(ptr %object0)
  %odd0 = icmp eq i64 %x0, -1
  br i1 %odd0, label %ask0, label %take1

ask0:                                             ; preds = %take0
  %error0 = tail call ptr @PyErr_Occurred()
  %fine0 = icmp eq ptr %error0, null
  br i1 %fine0, label %take1, label %common.ret

take1:                                            ; preds = %ask0, %take0
  %place1 = getelementptr i8, ptr %args, i64 8
  %object1 = load ptr, ptr %place1, align 8
  %x1 = tail call i64 @PyLong_AsLongLong(ptr %object1)
  %odd1 = icmp eq i64 %x1, -1
  br i1 %odd1, label %ask1, label %take2

ask1:                                             ; preds = %take1
  %error1 = tail call ptr @PyErr_Occurred()
  %fine1 = icmp eq ptr %error1, null
  br i1 %fine1, label %take2, label %common.ret

take2:                                            ; preds = %ask1, %take1
  %place2 = getelementptr i8, ptr %args, i64 16
  %object2 = load ptr, ptr %place2, align 8
  %x2 = tail call i64 @PyLong_AsLongLong(ptr %object2)
  %odd2 = icmp eq i64 %x2, -1
  br i1 %odd2, label %ask2, label %take3

ask2:                                             ; preds = %take2
  %error2 = tail call ptr @PyErr_Occurred()
  %fine2 = icmp eq ptr %error2, null
  br i1 %fine2, label %take3, label %common.ret

take3:                                            ; preds = %ask2, %take2
  %place3 = getelementptr i8, ptr %args, i64 24
  %object3 = load ptr, ptr %place3, align 8
  %x3 = tail call i64 @PyLong_AsLongLong(ptr %object3)
  %odd3 = icmp eq i64 %x3, -1
  br i1 %odd3, label %ask3, label %run

ask3:                                             ; preds = %take3
  %error3 = tail call ptr @PyErr_Occurred()
  %fine3 = icmp eq ptr %error3, null
  br i1 %fine3, label %run, label %common.ret

run:                                              ; preds = %ask3, %take3
  %.sink = phi i64 [ %x3, %take3 ], [ -1, %ask3 ]
  %status2 = call fastcc i32 @entry.serve(ptr %result, ptr %raised, i64 %x0, i64 %x1, i64 %x2, i64 %.sink)
  %done = icmp eq i32 %status2, 0
  br i1 %done, label %give, label %outside

common.ret:                                       ; preds = %ask0, %ask1, %ask2, %ask3, %count, %outside, %give
  %common.ret.op = phi ptr [ %object, %give ], [ null, %outside ], [ null, %count ], [ null, %ask3 ], [ null, %ask2 ], [ null, %ask1 ], [ null, %ask0 ]
  ret ptr %common.ret.op

give:                                             ; preds = %run
  %number = load i64, ptr %result, align 8
  %object = tail call ptr @PyLong_FromLongLong(i64 %number)
  br label %common.ret

outside:                                          ; preds = %run
  %kind = load ptr, ptr @PyExc_IndexError, align 8
  tail call void @PyErr_SetString(ptr %kind, ptr nonnull @python.outside)
  br label %common.ret

count:                                            ; preds = %0
  %bad = tail call i32 @PyErr_BadArgument()
  br label %common.ret
}

define ptr @python.set_bits(ptr readnone %self, ptr readonly %args, i64 %n) local_unnamed_addr {
  %view0 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view0, i8 0, i64 80, i1 false)
  %view2 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view2, i8 0, i64 80, i1 false)
  %enough = icmp eq i64 %n, 4
  br i1 %enough, label %take0, label %count

take0:                                            ; preds = %0
  %object0 = load ptr, ptr %args, align 8
  %got0 = call i32 @PyObject_GetBuffer(ptr %object0, ptr nonnull %view0, i32 0)
  %fine0 = icmp eq i32 %got0, 0
  br i1 %fine0, label %seen0, label %fail

seen0:                                            ; preds = %take0
  %x0 = load i64, ptr %view0, align 8
  %place1 = getelementptr i8, ptr %args, i64 8
  %object1 = load ptr, ptr %place1, align 8
  %x1 = call i64 @PyLong_AsLongLong(ptr %object1)
  %odd1 = icmp eq i64 %x1, -1
  br i1 %odd1, label %ask1, label %take2

ask1:                                             ; preds = %seen0
  %error1 = call ptr @PyErr_Occurred()
  %fine1 = icmp eq ptr %error1, null
  br i1 %fine1, label %take2, label %fail

take2:                                            ; preds = %ask1, %seen0
  %place2 = getelementptr i8, ptr %args, i64 16
  %object2 = load ptr, ptr %place2, align 8
  %got2 = call i32 @PyObject_GetBuffer(ptr %object2, ptr nonnull %view2, i32 0)
  %fine2 = icmp eq i32 %got2, 0
  br i1 %fine2, label %seen2, label %fail

seen2:                                            ; preds = %take2
  %x2 = load i64, ptr %view2, align 8
  %place3 = getelementptr i8, ptr %args, i64 24
  %object3 = load ptr, ptr %place3, align 8
  %x3 = call i64 @PyLong_AsLongLong(ptr %object3)
  %odd3 = icmp eq i64 %x3, -1
  br i1 %odd3, label %ask3, label %seen2.split

seen2.split:                                      ; preds = %seen2
  %.13.i = inttoptr i64 %x0 to ptr
  %.38.i = inttoptr i64 %x2 to ptr
  %.1451.not.i = icmp slt i64 %x3, 1
  br i1 %.1451.not.i, label %run, label %B98.if.i

B156.i:                                           ; preds = %B98.if.i
  %.221.i = lshr i64 %.213.i, 5
  %.250.i = getelementptr i32, ptr %.13.i, i64 %.221.i
  %.251.i = load i32, ptr %.250.i, align 4, !noalias !467
  %.254.i = and i32 %.212.i, 31
  %.260.i = shl nuw i32 1, %.254.i
  %.262.i = or i32 %.251.i, %.260.i
  store i32 %.262.i, ptr %.250.i, align 4, !noalias !467
  br label %B377.i

B260.i:                                           ; preds = %B98.if.i
  %.296.i = xor i64 %.213.i, -1
  %.299.i = lshr i64 %.296.i, 5
  %.328.i = getelementptr i32, ptr %.13.i, i64 %.299.i
  %.329.i = load i32, ptr %.328.i, align 4, !noalias !467
  %.332.i = and i64 %.296.i, 31
  %.335.i = shl nuw nsw i64 1, %.332.i
  %1 = trunc i64 %.335.i to i32
  %2 = xor i32 %1, -1
  %.368.i = and i32 %.329.i, %2
  store i32 %.368.i, ptr %.328.i, align 4, !noalias !467
  br label %B377.i

B377.i:                                           ; preds = %B260.i, %B156.i
  %exitcond.not.i = icmp eq i64 %x3, %.158.i
  br i1 %exitcond.not.i, label %run, label %B98.if.i

B98.if.i:                                         ; preds = %seen2.split, %B377.i
  %.87.02.i = phi i64 [ %.158.i, %B377.i ], [ 0, %seen2.split ]
  %.158.i = add nuw nsw i64 %.87.02.i, 1
  %3 = getelementptr i32, ptr %.38.i, i64 %.87.02.i
  %.212.i = load i32, ptr %3, align 4, !noalias !467
  %.213.i = sext i32 %.212.i to i64
  %.218.i = icmp sgt i32 %.212.i, -1
  br i1 %.218.i, label %B156.i, label %B260.i

ask3:                                             ; preds = %seen2
  %error3 = call ptr @PyErr_Occurred()
  %fine3 = icmp eq ptr %error3, null
  br i1 %fine3, label %run, label %fail

run:                                              ; preds = %B377.i, %ask3, %seen2.split
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view2)
  %object = call ptr @PyLong_FromLongLong(i64 0)
  br label %common.ret

common.ret:                                       ; preds = %fail, %count, %run
  %common.ret.op = phi ptr [ %object, %run ], [ null, %fail ], [ null, %count ]
  ret ptr %common.ret.op

count:                                            ; preds = %0
  %bad = tail call i32 @PyErr_BadArgument()
  br label %common.ret

fail:                                             ; preds = %ask3, %take2, %ask1, %take0
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view2)
  br label %common.ret
}

define ptr @python.mark_around(ptr readnone %self, ptr readonly %args, i64 %n) local_unnamed_addr {
  %result = alloca i64, align 8
  %view0 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view0, i8 0, i64 80, i1 false)
  %view2 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view2, i8 0, i64 80, i1 false)
  %view4 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view4, i8 0, i64 80, i1 false)
  %view5 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view5, i8 0, i64 80, i1 false)
  %enough = icmp eq i64 %n, 6
  br i1 %enough, label %take0, label %count

take0:                                            ; preds = %0
  %object0 = load ptr, ptr %args, align 8
  %got0 = call i32 @PyObject_GetBuffer(ptr %object0, ptr nonnull %view0, i32 0)
  %fine0 = icmp eq i32 %got0, 0
  br i1 %fine0, label %seen0, label %fail

seen0:                                            ; preds = %take0
  %x0 = load i64, ptr %view0, align 8
  %place1 = getelementptr i8, ptr %args, i64 8
  %object1 = load ptr, ptr %place1, align 8
  %x1 = call i64 @PyLong_AsLongLong(ptr %object1)
  %odd1 = icmp eq i64 %x1, -1
  br i1 %odd1, label %ask1, label %take2

ask1:                                             ; preds = %seen0
  %error1 = call ptr @PyErr_Occurred()
  %fine1 = icmp eq ptr %error1, null
  br i1 %fine1, label %take2, label %fail

take2:                                            ; preds = %ask1, %seen0
  %place2 = getelementptr i8, ptr %args, i64 16
  %object2 = load ptr, ptr %place2, align 8
  %got2 = call i32 @PyObject_GetBuffer(ptr %object2, ptr nonnull %view2, i32 0)
  %fine2 = icmp eq i32 %got2, 0
  br i1 %fine2, label %seen2, label %fail

seen2:                                            ; preds = %take2
  %x2 = load i64, ptr %view2, align 8
  %place3 = getelementptr i8, ptr %args, i64 24
  %object3 = load ptr, ptr %place3, align 8
  %x3 = call i64 @PyLong_AsLongLong(ptr %object3)
  %odd3 = icmp eq i64 %x3, -1
  br i1 %odd3, label %ask3, label %take4

ask3:                                             ; preds = %seen2
  %error3 = call ptr @PyErr_Occurred()
  %fine3 = icmp eq ptr %error3, null
  br i1 %fine3, label %take4, label %fail

take4:                                            ; preds = %ask3, %seen2
  %place4 = getelementptr i8, ptr %args, i64 32
  %object4 = load ptr, ptr %place4, align 8
  %got4 = call i32 @PyObject_GetBuffer(ptr %object4, ptr nonnull %view4, i32 0)
  %fine4 = icmp eq i32 %got4, 0
  br i1 %fine4, label %seen4, label %fail

seen4:                                            ; preds = %take4
  %x4 = load i64, ptr %view4, align 8
  %place5 = getelementptr i8, ptr %args, i64 40
  %object5 = load ptr, ptr %place5, align 8
  %got5 = call i32 @PyObject_GetBuffer(ptr %object5, ptr nonnull %view5, i32 0)
  %fine5 = icmp eq i32 %got5, 0
  br i1 %fine5, label %seen5, label %fail

seen5:                                            ; preds = %seen4
  %x5 = load i64, ptr %view5, align 8
  call fastcc void @bits.mark_around(ptr %result, i64 %x0, i64 %x1, i64 %x2, i64 %x3, i64 %x4, i64 %x5)
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view2)
  call void @PyBuffer_Release(ptr nonnull %view4)
  call void @PyBuffer_Release(ptr nonnull %view5)
  %number = load i64, ptr %result, align 8
  %object = call ptr @PyLong_FromLongLong(i64 %number)
  br label %common.ret

common.ret:                                       ; preds = %fail, %count, %seen5
  %common.ret.op = phi ptr [ %object, %seen5 ], [ null, %fail ], [ null, %count ]
  ret ptr %common.ret.op

count:                                            ; preds = %0
  %bad = tail call i32 @PyErr_BadArgument()
  br label %common.ret

fail:                                             ; preds = %seen4, %take4, %ask3, %take2, %ask1, %take0
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view2)
  call void @PyBuffer_Release(ptr nonnull %view4)
  call void @PyBuffer_Release(ptr nonnull %view5)
  br label %common.ret
}

define ptr @python.weigh(ptr readnone %self, ptr readonly %args, i64 %n) local_unnamed_addr {
  %result = alloca i64, align 8
  %view0 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view0, i8 0, i64 80, i1 false)
  %view1 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view1, i8 0, i64 80, i1 false)
  %view3 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view3, i8 0, i64 80, i1 false)
  %view4 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view4, i8 0, i64 80, i1 false)
  %enough = icmp eq i64 %n, 5
  br i1 %enough, label %take0, label %count

take0:                                            ; preds = %0
  %object0 = load ptr, ptr %args, align 8
  %got0 = call i32 @PyObject_GetBuffer(ptr %object0, ptr nonnull %view0, i32 0)
  %fine0 = icmp eq i32 %got0, 0
  br i1 %fine0, label %seen0, label %fail

seen0:                                            ; preds = %take0
  %x0 = load i64, ptr %view0, align 8
  %place1 = getelementptr i8, ptr %args, i64 8
  %object1 = load ptr, ptr %place1, align 8
  %got1 = call i32 @PyObject_GetBuffer(ptr %object1, ptr nonnull %view1, i32 0)
  %fine1 = icmp eq i32 %got1, 0
  br i1 %fine1, label %seen1, label %fail

seen1:                                            ; preds = %seen0
  %x1 = load i64, ptr %view1, align 8
  %place2 = getelementptr i8, ptr %args, i64 16
  %object2 = load ptr, ptr %place2, align 8
  %x2 = call i64 @PyLong_AsLongLong(ptr %object2)
  %odd2 = icmp eq i64 %x2, -1
  br i1 %odd2, label %ask2, label %take3

ask2:                                             ; preds = %seen1
  %error2 = call ptr @PyErr_Occurred()
  %fine2 = icmp eq ptr %error2, null
  br i1 %fine2, label %take3, label %fail

take3:                                            ; preds = %ask2, %seen1
  %place3 = getelementptr i8, ptr %args, i64 24
  %object3 = load ptr, ptr %place3, align 8
  %got3 = call i32 @PyObject_GetBuffer(ptr %object3, ptr nonnull %view3, i32 0)
  %fine3 = icmp eq i32 %got3, 0
  br i1 %fine3, label %seen3, label %fail

seen3:                                            ; preds = %take3
  %x3 = load i64, ptr %view3, align 8
  %place4 = getelementptr i8, ptr %args, i64 32
  %object4 = load ptr, ptr %place4, align 8
  %got4 = call i32 @PyObject_GetBuffer(ptr %object4, ptr nonnull %view4, i32 0)
  %fine4 = icmp eq i32 %got4, 0
  br i1 %fine4, label %seen4, label %fail

seen4:                                            ; preds = %seen3
  %x4 = load i64, ptr %view4, align 8
  call fastcc void @bits.weigh(ptr %result, i64 %x0, i64 %x1, i64 %x2, i64 %x3, i64 %x4)
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view1)
  call void @PyBuffer_Release(ptr nonnull %view3)
  call void @PyBuffer_Release(ptr nonnull %view4)
  %number = load i64, ptr %result, align 8
  %object = call ptr @PyLong_FromLongLong(i64 %number)
  br label %common.ret

common.ret:                                       ; preds = %fail, %count, %seen4
  %common.ret.op = phi ptr [ %object, %seen4 ], [ null, %fail ], [ null, %count ]
  ret ptr %common.ret.op

count:                                            ; preds = %0
  %bad = tail call i32 @PyErr_BadArgument()
  br label %common.ret

fail:                                             ; preds = %seen3, %take3, %ask2, %seen0, %take0
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view1)
  call void @PyBuffer_Release(ptr nonnull %view3)
  call void @PyBuffer_Release(ptr nonnull %view4)
  br label %common.ret
}

define ptr @python.set_containing(ptr readnone %self, ptr readonly %args, i64 %n) local_unnamed_addr {
  %result = alloca i64, align 8
  %view0 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view0, i8 0, i64 80, i1 false)
  %view2 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view2, i8 0, i64 80, i1 false)
  %view3 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view3, i8 0, i64 80, i1 false)
  %enough = icmp eq i64 %n, 6
  br i1 %enough, label %take0, label %count

take0:                                            ; preds = %0
  %object0 = load ptr, ptr %args, align 8
  %got0 = call i32 @PyObject_GetBuffer(ptr %object0, ptr nonnull %view0, i32 0)
  %fine0 = icmp eq i32 %got0, 0
  br i1 %fine0, label %seen0, label %fail

seen0:                                            ; preds = %take0
  %x0 = load i64, ptr %view0, align 8
  %place1 = getelementptr i8, ptr %args, i64 8
  %object1 = load ptr, ptr %place1, align 8
  %x1 = call i64 @PyLong_AsLongLong(ptr %object1)
  %odd1 = icmp eq i64 %x1, -1
  br i1 %odd1, label %ask1, label %take2

ask1:                                             ; preds = %seen0
  %error1 = call ptr @PyErr_Occurred()
  %fine1 = icmp eq ptr %error1, null
  br i1 %fine1, label %take2, label %fail

take2:                                            ; preds = %ask1, %seen0
  %place2 = getelementptr i8, ptr %args, i64 16
  %object2 = load ptr, ptr %place2, align 8
  %got2 = call i32 @PyObject_GetBuffer(ptr %object2, ptr nonnull %view2, i32 0)
  %fine2 = icmp eq i32 %got2, 0
  br i1 %fine2, label %seen2, label %fail

seen2:                                            ; preds = %take2
  %x2 = load i64, ptr %view2, align 8
  %place3 = getelementptr i8, ptr %args, i64 24
  %object3 = load ptr, ptr %place3, align 8
  %got3 = call i32 @PyObject_GetBuffer(ptr %object3, ptr nonnull %view3, i32 0)
  %fine3 = icmp eq i32 %got3, 0
  br i1 %fine3, label %seen3, label %fail

seen3:                                            ; preds = %seen2
  %x3 = load i64, ptr %view3, align 8
  %place4 = getelementptr i8, ptr %args, i64 32
  %object4 = load ptr, ptr %place4, align 8
  %x4 = call i64 @PyLong_AsLongLong(ptr %object4)
  %odd4 = icmp eq i64 %x4, -1
  br i1 %odd4, label %ask4, label %take5

ask4:                                             ; preds = %seen3
  %error4 = call ptr @PyErr_Occurred()
  %fine4 = icmp eq ptr %error4, null
  br i1 %fine4, label %take5, label %fail

take5:                                            ; preds = %ask4, %seen3
  %place5 = getelementptr i8, ptr %args, i64 40
  %object5 = load ptr, ptr %place5, align 8
  %x5 = call i64 @PyLong_AsLongLong(ptr %object5)
  %odd5 = icmp eq i64 %x5, -1
  br i1 %odd5, label %ask5, label %run

ask5:                                             ; preds = %take5
  %error5 = call ptr @PyErr_Occurred()
  %fine5 = icmp eq ptr %error5, null
  br i1 %fine5, label %run, label %fail

run:                                              ; preds = %ask5, %take5
  %.sink = phi i64 [ %x5, %take5 ], [ -1, %ask5 ]
  call fastcc void @bits.set_containing(ptr %result, i64 %x0, i64 %x1, i64 %x2, i64 %x3, i64 %x4, i64 %.sink)
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view2)
  call void @PyBuffer_Release(ptr nonnull %view3)
  %number = load i64, ptr %result, align 8
  %object = call ptr @PyLong_FromLongLong(i64 %number)
  br label %common.ret

common.ret:                                       ; preds = %fail, %count, %run
  %common.ret.op = phi ptr [ %object, %run ], [ null, %fail ], [ null, %count ]
  ret ptr %common.ret.op

count:                                            ; preds = %0
  %bad = tail call i32 @PyErr_BadArgument()
  br label %common.ret

fail:                                             ; preds = %ask5, %ask4, %seen2, %take2, %ask1, %take0
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view2)
  call void @PyBuffer_Release(ptr nonnull %view3)
  br label %common.ret
}

declare i64 @PyLong_AsLongLong(ptr) local_unnamed_addr

declare ptr @PyLong_FromLongLong(i64) local_unnamed_addr

declare ptr @PyErr_Occurred() local_unnamed_addr

declare i32 @PyErr_BadArgument() local_unnamed_addr

declare void @PyErr_SetString(ptr, ptr) local_unnamed_addr

declare i32 @PyObject_GetBuffer(ptr, ptr, i32) local_unnamed_addr

declare void @PyBuffer_Release(ptr) local_unnamed_addr

declare void @llvm.memset.p0.i64(ptr writeonly, i8, i64, i1 immarg)

declare i64 @llvm.smax.i64(i64, i64)



declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.vector.reduce.or.v2i64(<2 x i64>)

declare void @llvm.assume(i1 noundef)


!0 = !{!1, !3}
!1 = distinct !{!1, !2, !"states.read: %retptr"}
!2 = distinct !{!2, !"states.read"}
!3 = distinct !{!3, !2, !"states.read: %excinfo"}
!4 = !{!"branch_weights", i32 99, i32 1}
!5 = !{!6, !8}
!6 = distinct !{!6, !7, !"entry.walk: %retptr"}
!7 = distinct !{!7, !"entry.walk"}
!8 = distinct !{!8, !7, !"entry.walk: %excinfo"}
!9 = !{!10, !6, !8}
!10 = distinct !{!10, !11, !"tokens.pause: %retptr"}
!11 = distinct !{!11, !"tokens.pause"}
!12 = !{!13, !15}
!13 = distinct !{!13, !14, !"entry.results: %retptr"}
!14 = distinct !{!14, !"entry.results"}
!15 = distinct !{!15, !14, !"entry.results: %excinfo"}
!16 = !{!17, !19, !13, !15}
!17 = distinct !{!17, !18, !"classes.sliced: %retptr"}
!18 = distinct !{!18, !"classes.sliced"}
!19 = distinct !{!19, !18, !"classes.sliced: %excinfo"}
!20 = !{!"branch_weights", i32 1, i32 99}
!21 = !{!"branch_weights", i32 12545, i32 127}
!22 = !{!23, !25, !17, !19, !13, !15}
!23 = distinct !{!23, !24, !"classes.after_path: %retptr"}
!24 = distinct !{!24, !"classes.after_path"}
!25 = distinct !{!25, !24, !"classes.after_path: %excinfo"}
!26 = !{!27, !29, !23, !25, !17, !19, !13, !15}
!27 = distinct !{!27, !28, !"states.read: %retptr"}
!28 = distinct !{!28, !"states.read"}
!29 = distinct !{!29, !28, !"states.read: %excinfo"}
!30 = !{!31, !17, !19, !13, !15}
!31 = distinct !{!31, !32, !"views.lacks.14: %retptr"}
!32 = distinct !{!32, !"views.lacks.14"}
!33 = !{!34, !17, !19, !13, !15}
!34 = distinct !{!34, !35, !"tokens.several: %retptr"}
!35 = distinct !{!35, !"tokens.several"}
!36 = !{!"branch_weights", i32 127, i32 1}
!37 = !{!"branch_weights", i32 0, i32 -2147483648}
!38 = !{!39, !17, !19, !13, !15}
!39 = distinct !{!39, !40, !"states.meet: %retptr"}
!40 = distinct !{!40, !"states.meet"}
!41 = distinct !{!41, !42, !43}
!42 = !{!"llvm.loop.isvectorized", i32 1}
!43 = !{!"llvm.loop.unroll.runtime.disable"}
!44 = !{!45}
!45 = distinct !{!45, !46}
!46 = distinct !{!46, !"LVerDomain"}
!47 = !{!17, !19, !13, !15, !48}
!48 = distinct !{!48, !46}
!49 = !{!48}
!50 = distinct !{!50, !42}
!51 = !{!52, !54, !13, !15}
!52 = distinct !{!52, !53, !"differences.differ: %retptr"}
!53 = distinct !{!53, !"differences.differ"}
!54 = distinct !{!54, !53, !"differences.differ: %excinfo"}
!55 = !{!56, !52, !54, !13, !15}
!56 = distinct !{!56, !57, !"views.lacks.14: %retptr"}
!57 = distinct !{!57, !"views.lacks.14"}
!58 = !{!59, !52, !54, !13, !15}
!59 = distinct !{!59, !60, !"views.lacks.15: %retptr"}
!60 = distinct !{!60, !"views.lacks.15"}
!61 = !{!62, !52, !54, !13, !15}
!62 = distinct !{!62, !63, !"states.first_time: %retptr"}
!63 = distinct !{!63, !"states.first_time"}
!64 = !{!65, !52, !54, !13, !15}
!65 = distinct !{!65, !66, !"differences.where_differ: %retptr"}
!66 = distinct !{!66, !"differences.where_differ"}
!67 = !{!68}
!68 = distinct !{!68, !69}
!69 = distinct !{!69, !"LVerDomain"}
!70 = !{!65, !52, !54, !13, !15, !71}
!71 = distinct !{!71, !69}
!72 = !{!71}
!73 = !{!74}
!74 = distinct !{!74, !75}
!75 = distinct !{!75, !"LVerDomain"}
!76 = !{!65, !52, !54, !13, !15, !77, !78}
!77 = distinct !{!77, !75}
!78 = distinct !{!78, !75}
!79 = !{!78}
!80 = !{!77}
!81 = distinct !{!81, !42}
!82 = distinct !{!82, !42}
!83 = !{!84}
!84 = distinct !{!84, !85}
!85 = distinct !{!85, !"LVerDomain"}
!86 = !{!65, !52, !54, !13, !15, !87}
!87 = distinct !{!87, !85}
!88 = !{!87}
!89 = distinct !{!89, !42}
!90 = !{!91, !52, !54, !13, !15}
!91 = distinct !{!91, !92, !"states.takes: %retptr"}
!92 = distinct !{!92, !"states.takes"}
!93 = !{!94, !52, !54, !13, !15}
!94 = distinct !{!94, !95, !"states.takes: %retptr"}
!95 = distinct !{!95, !"states.takes"}
!96 = !{!97, !99, !52, !54, !13, !15}
!97 = distinct !{!97, !98, !"differences.alike: %retptr"}
!98 = distinct !{!98, !"differences.alike"}
!99 = distinct !{!99, !98, !"differences.alike: %excinfo"}
!100 = !{!101, !103, !97, !99, !52, !54, !13, !15}
!101 = distinct !{!101, !102, !"states.only_next: %retptr"}
!102 = distinct !{!102, !"states.only_next"}
!103 = distinct !{!103, !102, !"states.only_next: %excinfo"}
!104 = !{!105, !107, !97, !99, !52, !54, !13, !15}
!105 = distinct !{!105, !106, !"states.only_next: %retptr"}
!106 = distinct !{!106, !"states.only_next"}
!107 = distinct !{!107, !106, !"states.only_next: %excinfo"}
!108 = !{!109, !52, !54, !13, !15}
!109 = distinct !{!109, !110, !"tokens.several: %retptr"}
!110 = distinct !{!110, !"tokens.several"}
!111 = !{!112, !114, !13, !15}
!112 = distinct !{!112, !113, !"classes.closed: %retptr"}
!113 = distinct !{!113, !"classes.closed"}
!114 = distinct !{!114, !113, !"classes.closed: %excinfo"}
!115 = distinct !{!115, !116}
!116 = !{!"llvm.loop.unroll.disable"}
!117 = !{!118, !120, !13, !15}
!118 = distinct !{!118, !119, !"classes.survey: %retptr"}
!119 = distinct !{!119, !"classes.survey"}
!120 = distinct !{!120, !119, !"classes.survey: %excinfo"}
!121 = !{!122, !118, !120, !13, !15}
!122 = distinct !{!122, !123, !"views.lacks.15: %retptr"}
!123 = distinct !{!123, !"views.lacks.15"}
!124 = !{!125, !118, !120, !13, !15}
!125 = distinct !{!125, !126, !"views.lacks.14: %retptr"}
!126 = distinct !{!126, !"views.lacks.14"}
!127 = !{!128, !130, !13, !15}
!128 = distinct !{!128, !129, !"tokens.walls: %retptr"}
!129 = distinct !{!129, !"tokens.walls"}
!130 = distinct !{!130, !129, !"tokens.walls: %excinfo"}
!131 = !{!132, !128, !130, !13, !15}
!132 = distinct !{!132, !133, !"views.lacks.15: %retptr"}
!133 = distinct !{!133, !"views.lacks.15"}
!134 = !{!135, !128, !130, !13, !15}
!135 = distinct !{!135, !136, !"views.lacks.14: %retptr"}
!136 = distinct !{!136, !"views.lacks.14"}
!137 = !{!138, !128, !130, !13, !15}
!138 = distinct !{!138, !139, !"states.meet: %retptr"}
!139 = distinct !{!139, !"states.meet"}
!140 = !{!141, !143, !13, !15}
!141 = distinct !{!141, !142, !"tokens.ends: %retptr"}
!142 = distinct !{!142, !"tokens.ends"}
!143 = distinct !{!143, !142, !"tokens.ends: %excinfo"}
!144 = !{!145, !141, !143, !13, !15}
!145 = distinct !{!145, !146, !"views.lacks.15: %retptr"}
!146 = distinct !{!146, !"views.lacks.15"}
!147 = !{!148, !141, !143, !13, !15}
!148 = distinct !{!148, !149, !"views.lacks.14: %retptr"}
!149 = distinct !{!149, !"views.lacks.14"}
!150 = !{!151, !153}
!151 = distinct !{!151, !152, !"entry.made: %retptr"}
!152 = distinct !{!152, !"entry.made"}
!153 = distinct !{!153, !152, !"entry.made: %excinfo"}
!154 = !{!155, !157, !151, !153}
!155 = distinct !{!155, !156, !"states.read: %retptr"}
!156 = distinct !{!156, !"states.read"}
!157 = distinct !{!157, !156, !"states.read: %excinfo"}
!158 = !{!159, !161, !151, !153}
!159 = distinct !{!159, !160, !"tokens.recall: %retptr"}
!160 = distinct !{!160, !"tokens.recall"}
!161 = distinct !{!161, !160, !"tokens.recall: %excinfo"}
!162 = !{!163, !165, !151, !153}
!163 = distinct !{!163, !164, !"tokens.forced: %retptr"}
!164 = distinct !{!164, !"tokens.forced"}
!165 = distinct !{!165, !164, !"tokens.forced: %excinfo"}
!166 = !{!167, !151, !153}
!167 = distinct !{!167, !168, !"states.rehash: %retptr"}
!168 = distinct !{!168, !"states.rehash"}
!169 = !{!170, !167, !151, !153}
!170 = distinct !{!170, !171, !"states.hash_leaves: %retptr"}
!171 = distinct !{!171, !"states.hash_leaves"}
!172 = !{!173, !167, !151, !153}
!173 = distinct !{!173, !174, !"states.near_leaves: %retptr"}
!174 = distinct !{!174, !"states.near_leaves"}
!175 = !{!176, !178}
!176 = distinct !{!176, !177, !"states.only_next: %retptr"}
!177 = distinct !{!177, !"states.only_next"}
!178 = distinct !{!178, !177, !"states.only_next: %excinfo"}
!179 = !{!180, !182}
!180 = distinct !{!180, !181, !"states.target_of: %retptr"}
!181 = distinct !{!181, !"states.target_of"}
!182 = distinct !{!182, !181, !"states.target_of: %excinfo"}
!183 = distinct !{!183, !42, !43}
!184 = !{!185, !180, !182}
!185 = distinct !{!185, !186, !"views.lacks.2: %retptr"}
!186 = distinct !{!186, !"views.lacks.2"}
!187 = !{!188}
!188 = distinct !{!188, !189}
!189 = distinct !{!189, !"LVerDomain"}
!190 = !{!191}
!191 = distinct !{!191, !189}
!192 = !{!180, !182, !193, !188}
!193 = distinct !{!193, !189}
!194 = !{!193}
!195 = distinct !{!195, !42, !43}
!196 = !{!197}
!197 = distinct !{!197, !198}
!198 = distinct !{!198, !"LVerDomain"}
!199 = !{!200}
!200 = distinct !{!200, !198}
!201 = !{!180, !182, !197}
!202 = distinct !{!202, !42, !43}
!203 = distinct !{!203, !42}
!204 = !{!205}
!205 = distinct !{!205, !206}
!206 = distinct !{!206, !"LVerDomain"}
!207 = !{!180, !182, !208}
!208 = distinct !{!208, !206}
!209 = !{!208}
!210 = distinct !{!210, !42}
!211 = distinct !{!211, !42}
!212 = !{!213}
!213 = distinct !{!213, !214, !"views.lacks: %retptr"}
!214 = distinct !{!214, !"views.lacks"}
!215 = distinct !{!215, !42}
!216 = !{!217}
!217 = distinct !{!217, !218}
!218 = distinct !{!218, !"LVerDomain"}
!219 = !{!220, !221}
!220 = distinct !{!220, !218}
!221 = distinct !{!221, !218}
!222 = !{!221}
!223 = !{!220}
!224 = distinct !{!224, !42, !43}
!225 = !{!226}
!226 = distinct !{!226, !227, !"leaves.is_split: %retptr"}
!227 = distinct !{!227, !"leaves.is_split"}
!228 = !{!229}
!229 = distinct !{!229, !230, !"leaves.is_split: %retptr"}
!230 = distinct !{!230, !"leaves.is_split"}
!231 = !{!232}
!232 = distinct !{!232, !233, !"views.lacks.3: %retptr"}
!233 = distinct !{!233, !"views.lacks.3"}
!234 = !{!235}
!235 = distinct !{!235, !236, !"leaves.sorted_once: %retptr"}
!236 = distinct !{!236, !"leaves.sorted_once"}
!237 = !{!238}
!238 = distinct !{!238, !239, !"leaves.is_split: %retptr"}
!239 = distinct !{!239, !"leaves.is_split"}
!240 = !{!241}
!241 = distinct !{!241, !242, !"leaves.visit: %retptr"}
!242 = distinct !{!242, !"leaves.visit"}
!243 = !{!244, !241}
!244 = distinct !{!244, !245, !"views.lacks.8: %retptr"}
!245 = distinct !{!245, !"views.lacks.8"}
!246 = !{!247}
!247 = distinct !{!247, !248, !"leaves.one_way_on: %retptr"}
!248 = distinct !{!248, !"leaves.one_way_on"}
!249 = !{!250}
!250 = distinct !{!250, !251, !"leaves.wider: %retptr"}
!251 = distinct !{!251, !"leaves.wider"}
!252 = !{!253}
!253 = distinct !{!253, !254, !"leaves.goes_on: %retptr"}
!254 = distinct !{!254, !"leaves.goes_on"}
!255 = !{!256}
!256 = distinct !{!256, !257, !"leaves.open_options: %retptr"}
!257 = distinct !{!257, !"leaves.open_options"}
!258 = !{!259, !256}
!259 = distinct !{!259, !260, !"leaves.past: %retptr"}
!260 = distinct !{!260, !"leaves.past"}
!261 = !{!262, !264}
!262 = distinct !{!262, !263, !"terms.after_one_round: %retptr"}
!263 = distinct !{!263, !"terms.after_one_round"}
!264 = distinct !{!264, !265, !"leaves.open_repeat: %retptr"}
!265 = distinct !{!265, !"leaves.open_repeat"}
!266 = !{!267, !269, !262, !264}
!267 = distinct !{!267, !268, !"views.lacks.13: %retptr"}
!268 = distinct !{!268, !"views.lacks.13"}
!269 = distinct !{!269, !270, !"terms.new_node: %retptr"}
!270 = distinct !{!270, !"terms.new_node"}
!271 = !{!269, !262, !264}
!272 = !{!264}
!273 = !{!274}
!274 = distinct !{!274, !275, !"leaves.open_edges: %retptr"}
!275 = distinct !{!275, !"leaves.open_edges"}
!276 = !{!277, !274}
!277 = distinct !{!277, !278, !"terms.push_tail: %retptr"}
!278 = distinct !{!278, !"terms.push_tail"}
!279 = !{!280}
!280 = distinct !{!280, !281, !"leaves.past: %retptr"}
!281 = distinct !{!281, !"leaves.past"}
!282 = !{!283}
!283 = distinct !{!283, !284, !"leaves.visit: %retptr"}
!284 = distinct !{!284, !"leaves.visit"}
!285 = !{}
!286 = !{!287, !283}
!287 = distinct !{!287, !288, !"views.lacks.8: %retptr"}
!288 = distinct !{!288, !"views.lacks.8"}
!289 = !{!290}
!290 = distinct !{!290, !291, !"leaves.sorted_once: %retptr"}
!291 = distinct !{!291, !"leaves.sorted_once"}
!292 = !{!293}
!293 = distinct !{!293, !294, !"views.lacks.4: %retptr"}
!294 = distinct !{!294, !"views.lacks.4"}
!295 = !{!296}
!296 = distinct !{!296, !294, !"views.lacks.4: %retptr:thread"}
!297 = !{!298}
!298 = distinct !{!298, !299, !"leaves.sorted_once: %retptr"}
!299 = distinct !{!299, !"leaves.sorted_once"}
!300 = !{!301}
!301 = distinct !{!301, !302, !"states.hash_leaves: %retptr"}
!302 = distinct !{!302, !"states.hash_leaves"}
!303 = !{!304}
!304 = distinct !{!304, !305, !"states.near_leaves: %retptr"}
!305 = distinct !{!305, !"states.near_leaves"}
!306 = !{!307}
!307 = distinct !{!307, !308, !"views.lacks.5: %retptr"}
!308 = distinct !{!308, !"views.lacks.5"}
!309 = !{!310}
!310 = distinct !{!310, !311, !"views.lacks.4: %retptr"}
!311 = distinct !{!311, !"views.lacks.4"}
!312 = !{!313}
!313 = distinct !{!313, !314, !"leaves.charset_of: %retptr"}
!314 = distinct !{!314, !"leaves.charset_of"}
!315 = distinct !{!315, !316}
!316 = !{!"llvm.loop.peeled.count", i32 7}
!317 = !{!318}
!318 = distinct !{!318, !319, !"views.lacks.6: %retptr"}
!319 = distinct !{!319, !"views.lacks.6"}
!320 = !{!321}
!321 = distinct !{!321, !322, !"views.lacks.7: %retptr"}
!322 = distinct !{!322, !"views.lacks.7"}
!323 = !{!324}
!324 = distinct !{!324, !325, !"views.lacks.3: %retptr"}
!325 = distinct !{!325, !"views.lacks.3"}
!326 = !{!327}
!327 = distinct !{!327, !328, !"terms.unlike_edges: %retptr"}
!328 = distinct !{!328, !"terms.unlike_edges"}
!329 = !{!330, !327}
!330 = distinct !{!330, !331, !"terms.end_of_run: %retptr"}
!331 = distinct !{!331, !"terms.end_of_run"}
!332 = !{!333, !327}
!333 = distinct !{!333, !334, !"views.lacks.9: %retptr"}
!334 = distinct !{!334, !"views.lacks.9"}
!335 = !{!336, !327}
!336 = distinct !{!336, !337, !"views.lacks.10: %retptr"}
!337 = distinct !{!337, !"views.lacks.10"}
!338 = !{!339, !327}
!339 = distinct !{!339, !340, !"views.lacks.11: %retptr"}
!340 = distinct !{!340, !"views.lacks.11"}
!341 = distinct !{!341, !42, !43}
!342 = !{!343, !327}
!343 = distinct !{!343, !344, !"terms.end_of_run: %retptr"}
!344 = distinct !{!344, !"terms.end_of_run"}
!345 = !{!346, !348, !327}
!346 = distinct !{!346, !347, !"views.lacks.13: %retptr"}
!347 = distinct !{!347, !"views.lacks.13"}
!348 = distinct !{!348, !349, !"terms.new_node: %retptr"}
!349 = distinct !{!349, !"terms.new_node"}
!350 = !{!348, !327}
!351 = !{!352, !354, !327}
!352 = distinct !{!352, !353, !"views.lacks.13: %retptr"}
!353 = distinct !{!353, !"views.lacks.13"}
!354 = distinct !{!354, !355, !"terms.new_node: %retptr"}
!355 = distinct !{!355, !"terms.new_node"}
!356 = !{!354, !327}
!357 = !{!358, !360, !327}
!358 = distinct !{!358, !359, !"views.lacks.13: %retptr"}
!359 = distinct !{!359, !"views.lacks.13"}
!360 = distinct !{!360, !361, !"terms.new_node: %retptr"}
!361 = distinct !{!361, !"terms.new_node"}
!362 = !{!360, !327}
!363 = !{!364, !366}
!364 = distinct !{!364, !365, !"views.lacks.12: %retptr"}
!365 = distinct !{!365, !"views.lacks.12"}
!366 = distinct !{!366, !367, !"terms.escapes_edges: %retptr"}
!367 = distinct !{!367, !"terms.escapes_edges"}
!368 = !{!369, !366}
!369 = distinct !{!369, !370, !"views.lacks.13: %retptr"}
!370 = distinct !{!370, !"views.lacks.13"}
!371 = !{!366}
!372 = !{!373, !375, !366}
!373 = distinct !{!373, !374, !"views.lacks.13: %retptr"}
!374 = distinct !{!374, !"views.lacks.13"}
!375 = distinct !{!375, !376, !"terms.new_node: %retptr"}
!376 = distinct !{!376, !"terms.new_node"}
!377 = !{!375, !366}
!378 = !{!379}
!379 = distinct !{!379, !380, !"terms.end_of_run: %retptr"}
!380 = distinct !{!380, !"terms.end_of_run"}
!381 = !{!382}
!382 = distinct !{!382, !383, !"views.lacks.9: %retptr"}
!383 = distinct !{!383, !"views.lacks.9"}
!384 = !{!385}
!385 = distinct !{!385, !386, !"views.lacks.10: %retptr"}
!386 = distinct !{!386, !"views.lacks.10"}
!387 = !{!388, !390}
!388 = distinct !{!388, !389, !"views.lacks.13: %retptr"}
!389 = distinct !{!389, !"views.lacks.13"}
!390 = distinct !{!390, !391, !"terms.new_node: %retptr"}
!391 = distinct !{!391, !"terms.new_node"}
!392 = !{!390}
!393 = !{!394}
!394 = distinct !{!394, !395, !"terms.end_of_run: %retptr"}
!395 = distinct !{!395, !"terms.end_of_run"}
!396 = !{!397}
!397 = distinct !{!397, !398, !"leaves.is_leaf: %retptr"}
!398 = distinct !{!398, !"leaves.is_leaf"}
!399 = !{!400}
!400 = distinct !{!400, !401, !"leaves.visit: %retptr"}
!401 = distinct !{!401, !"leaves.visit"}
!402 = !{!403, !400}
!403 = distinct !{!403, !404, !"views.lacks.8: %retptr"}
!404 = distinct !{!404, !"views.lacks.8"}
!405 = !{!406}
!406 = distinct !{!406, !407, !"leaves.charset_of: %retptr"}
!407 = distinct !{!407, !"leaves.charset_of"}
!408 = !{!409}
!409 = distinct !{!409, !410, !"terms.after_one_round: %retptr"}
!410 = distinct !{!410, !"terms.after_one_round"}
!411 = !{!412, !414, !409}
!412 = distinct !{!412, !413, !"views.lacks.13: %retptr"}
!413 = distinct !{!413, !"views.lacks.13"}
!414 = distinct !{!414, !415, !"terms.new_node: %retptr"}
!415 = distinct !{!415, !"terms.new_node"}
!416 = !{!414, !409}
!417 = !{!418}
!418 = distinct !{!418, !419, !"leaves.is_split: %retptr"}
!419 = distinct !{!419, !"leaves.is_split"}
!420 = !{!421}
!421 = distinct !{!421, !422, !"classes.has_leaf: %retptr"}
!422 = distinct !{!422, !"classes.has_leaf"}
!423 = !{!424}
!424 = distinct !{!424, !425, !"states.meet: %retptr"}
!425 = distinct !{!425, !"states.meet"}
!426 = distinct !{!426, !42, !43}
!427 = !{!428}
!428 = distinct !{!428, !429}
!429 = distinct !{!429, !"LVerDomain"}
!430 = !{!431}
!431 = distinct !{!431, !429}
!432 = distinct !{!432, !42}
!433 = !{!434}
!434 = distinct !{!434, !435, !"leaves.is_split: %retptr"}
!435 = distinct !{!435, !"leaves.is_split"}
!436 = !{!437}
!437 = distinct !{!437, !438, !"views.lacks.14: %retptr"}
!438 = distinct !{!438, !"views.lacks.14"}
!439 = !{!440}
!440 = distinct !{!440, !441, !"tokens.pause: %retptr"}
!441 = distinct !{!441, !"tokens.pause"}
!442 = !{!443}
!443 = distinct !{!443, !444, !"views.lacks.15: %retptr"}
!444 = distinct !{!444, !"views.lacks.15"}
!445 = !{!446}
!446 = distinct !{!446, !447, !"tokens.pause: %retptr"}
!447 = distinct !{!447, !"tokens.pause"}
!448 = !{!449}
!449 = distinct !{!449, !450, !"states.first_time: %retptr"}
!450 = distinct !{!450, !"states.first_time"}
!451 = !{!452}
!452 = distinct !{!452, !453, !"tokens.pause: %retptr"}
!453 = distinct !{!453, !"tokens.pause"}
!454 = !{!455}
!455 = distinct !{!455, !456, !"states.takes: %retptr"}
!456 = distinct !{!456, !"states.takes"}
!457 = !{!458}
!458 = distinct !{!458, !459, !"tokens.pause: %retptr"}
!459 = distinct !{!459, !"tokens.pause"}
!460 = !{!461}
!461 = distinct !{!461, !462, !"tokens.several: %retptr"}
!462 = distinct !{!462, !"tokens.several"}
!463 = !{!464}
!464 = distinct !{!464, !465, !"views.lacks.2: %retptr"}
!465 = distinct !{!465, !"views.lacks.2"}
!466 = distinct !{!466, !316}
!467 = !{!468}
!468 = distinct !{!468, !469, !"bits.set_bits: %retptr"}
!469 = distinct !{!469, !"bits.set_bits"}
